import Foundation
import TestSupport
import Testing

/// A controlling terminal for `hslink`, into which a test types.
final class ControllingTerminal {
    private let master: Int32
    private let slave: Int32

    struct Run {
        let program: ProgramRun
        /// The complete output of the terminal, with line feeds only.
        let terminal: String
        /// Whether echo was on while the prompt was shown.
        let wasEchoing: Bool
    }

    init() throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        let isOpen = unsafe openpty(&master, &slave, nil, nil, nil) == 0
        try #require(isOpen)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        (self.master, self.slave) = (master, slave)
    }

    deinit {
        close(master)
        close(slave)
    }

    /// Whether echo is on.
    var isEchoing: Bool {
        var settings = termios()
        return unsafe tcgetattr(slave, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Runs `hslink` in a new session with this controlling terminal, but with other standard streams, and types `text`
    /// when `question` appears.
    ///
    /// - Parameter input: The file that is its standard input.
    func run(
        _ arguments: [String], answering question: String, with text: String, input: String = "/dev/null"
    ) async throws -> Run {
        var name = [CChar](repeating: 0, count: 256)
        let isNamed = unsafe ttyname_r(slave, &name, name.count) == 0
        try #require(isNamed)
        let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // The first terminal that a session leader opens becomes its controlling terminal.
        let script = #": <>"$1"; shift; input=$1; shift; exec "$@" <"$input""#
        let program = Task {
            try await ProgramRun.of(
                URL(filePath: "/usr/bin/setsid"),
                ["-w", "sh", "-c", script, "sh", path, input, BuiltProducts.hslink.path] + arguments)
        }
        var shown = ""
        let isAsked = await holds {
            shown += read()
            return shown.contains(question)
        }
        #expect(isAsked, "\(shown)")
        let wasEchoing = isEchoing
        let typed = Array(text.utf8)
        _ = unsafe write(master, typed, typed.count)
        let run = try await program.value
        shown += read()
        return Run(program: run, terminal: shown.replacing("\r\n", with: "\n"), wasEchoing: wasEchoing)
    }

    /// Returns the output since the last call.
    private func read() -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe Foundation.read(master, &bytes, bytes.count)
        return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    }
}
