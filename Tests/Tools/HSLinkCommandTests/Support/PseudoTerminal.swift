import Foundation
import TestSupport
import Testing

/// Runs `hslink` with a terminal as its standard output.
enum PseudoTerminal {
    /// `TIOCSPTLCK` and `TIOCGPTN` of asm-generic/ioctls.h, see ioctl_tty(2); Swift does not import them.
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// - Parameters:
    ///   - columns: The width of the terminal.
    ///   - arguments: The arguments of `hslink`.
    ///   - environment: Variables in addition to `TERM`, which is `xterm`.
    /// - Returns: The output to the terminal, with line feeds only.
    static func run(
        columns: Int, _ arguments: [String], environment: [String: String?] = [:]
    ) async throws -> String {
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(master >= 0)
        defer { close(master) }
        var number: UInt32 = 0
        var isLocked: Int32 = 0
        let isReady = unsafe ioctl(master, unlock, &isLocked) == 0 && ioctl(master, getNumber, &number) == 0
        try #require(isReady)
        let slave = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
        let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        let isSized = unsafe ioctl(slave, UInt(TIOCSWINSZ), &size) == 0
        try #require(isSized)

        let run = try await ProgramRun.of(
            BuiltProducts.hslink, arguments, environment: ["TERM": "xterm"].merging(environment) { $1 },
            output: terminal)
        try #require(run.status == 0, "\(run.standardError)")
        // Everything has been written, and waits in the terminal's buffer.
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(master, &bytes, bytes.count)
        return String(decoding: bytes[..<max(count, 0)], as: UTF8.self).replacing("\r\n", with: "\n")
    }
}
