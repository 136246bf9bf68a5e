import Glibc

/// Asks for a secret at the terminal of the process, which does not show what is typed.
enum TerminalQuestion {
    /// Waits for a line.
    ///
    /// - Parameter name: what is asked for.
    /// - Returns: the line without its end.
    /// - Throws: when there is no terminal, or nothing was typed before its end.
    static func ask(_ name: String) throws(InputError) -> String {
        // Whatever the standard streams are.
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw InputError(
                message: "there is no terminal to ask at; give @- to read it from standard input, @FILE or @env:NAME")
        }
        defer { close(terminal) }
        guard HiddenTyping.begin(terminal) else { throw InputError(code: errno) }
        defer { HiddenTyping.end() }
        write("\(name): ", to: terminal)
        return try line(from: terminal)
    }

    private static func line(from terminal: Int32) throws(InputError) -> String {
        var bytes: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = unsafe read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw InputError(code: errno) }
            if count == 0 {
                write("\n", to: terminal)
                throw InputError(message: "nothing was typed")
            }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw InputError(message: "what was typed is not UTF-8")
        }
        return text
    }

    private static func write(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(terminal, bytes, bytes.count)
    }
}

/// The time in which a terminal does not show what is typed. A signal that ends the process ends it first: nobody wants a
/// terminal that stays like that.
private enum HiddenTyping {
    // Written before the handlers are there, on the one thread that asks; read by them.
    fileprivate nonisolated(unsafe) static var terminal: Int32 = -1
    // As above. Memory of its own: a variable of this type is as long as its members, without the padding that C writes.
    fileprivate nonisolated(unsafe) static let settings = {
        let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        unsafe settings.initialize(to: termios())
        return unsafe settings
    }()

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    // Used on the one thread that asks. A script of calls has handlers of its own.
    private nonisolated(unsafe) static var formerHandlers: [__sighandler_t?] = []

    /// - Returns: false where the terminal refuses; `errno` says why.
    static func begin(_ descriptor: Int32) -> Bool {
        guard unsafe tcgetattr(descriptor, settings) == 0 else { return false }
        unsafe terminal = descriptor
        unsafe formerHandlers = signals.map { number in
            // Stopped in between, the shell would have a terminal that shows nothing.
            signal(number, number == SIGTSTP ? SIG_IGN : showTypingAndEnd)
        }
        var hidden = unsafe settings.pointee
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ECHONL)
        return unsafe tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0
    }

    static func end() {
        unsafe _ = tcsetattr(terminal, TCSAFLUSH, settings)
        for (number, handler) in unsafe zip(signals, formerHandlers) { signal(number, handler) }
    }
}

/// Runs in the middle of anything: all of it is safe there.
private func showTypingAndEnd(_ number: Int32) {
    unsafe _ = tcsetattr(HiddenTyping.terminal, TCSAFLUSH, HiddenTyping.settings)
    signal(number, SIG_DFL)
    raise(number)
}
