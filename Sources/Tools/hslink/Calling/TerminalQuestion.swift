import Glibc

/// Asks for a secret at the controlling terminal without showing the input.
enum TerminalQuestion {
    /// Prompts and waits for a line.
    ///
    /// - Parameter name: the name of the secret, for the prompt.
    /// - Returns: the line without its line break.
    /// - Throws: an ``InputError`` if there is no terminal, nothing was typed, or the input is not UTF-8.
    static func ask(_ name: String) throws(InputError) -> String {
        // Independent of any redirection of the standard streams.
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw InputError(
                message: "there is no terminal to prompt at; use @- for standard input, @FILE or @env:NAME instead")
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
            throw InputError(message: "the typed text is not UTF-8")
        }
        return text
    }

    private static func write(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(terminal, bytes, bytes.count)
    }
}

/// Switches off the echo of a terminal. A signal that ends the process restores the echo first, since a terminal
/// without it would be unusable.
private enum HiddenTyping {
    // Written by the one thread that asks, before the handlers are installed; read by the handlers.
    fileprivate nonisolated(unsafe) static var terminal: Int32 = -1
    // Written and read as `terminal` is. Allocated, because a Swift variable of this type lacks the trailing padding
    // that C writes.
    fileprivate nonisolated(unsafe) static let settings = {
        let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        unsafe settings.initialize(to: termios())
        return unsafe settings
    }()

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    // Used only by the one thread that asks. A script of calls has installed its own handlers by that time.
    private nonisolated(unsafe) static var formerHandlers: [__sighandler_t?] = []

    /// Switches off the echo.
    ///
    /// - Returns: false if the terminal refuses, with the reason in `errno`.
    static func begin(_ descriptor: Int32) -> Bool {
        guard unsafe tcgetattr(descriptor, settings) == 0 else { return false }
        unsafe terminal = descriptor
        unsafe formerHandlers = signals.map { number in
            // If the process were suspended now, the shell would get a terminal without echo.
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

/// Signal handler: calls only async-signal-safe functions.
private func showTypingAndEnd(_ number: Int32) {
    unsafe _ = tcsetattr(HiddenTyping.terminal, TCSAFLUSH, HiddenTyping.settings)
    signal(number, SIG_DFL)
    raise(number)
}
