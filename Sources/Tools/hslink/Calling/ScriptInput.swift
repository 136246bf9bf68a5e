import ComponentHost
import Dispatch
import Glibc
import SystemSupport

/// The lines of standard input. Each line is read on demand, so an interactive user or program gets each answer before
/// it writes the next line.
struct ScriptInput {
    enum Line: Sendable {
        /// The text without its line break.
        case text(String)
        /// The reason why the line cannot be a call.
        case unusable(String)
    }

    /// Signalled for each line that is wanted. A separate thread reads, because a read may block forever and must not
    /// block Swift's cooperative thread pool.
    private let wanted = DispatchSemaphore(value: 0)
    private var lines: AsyncThrowingStream<Line, any Error>.Iterator

    /// - Throws: a ``UsageError`` if the thread cannot be started.
    init() throws(UsageError) {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Line.self)
        lines = stream.makeAsyncIterator()
        let isStarted = startThread(named: "hslink-script") { [wanted] in
            var reader = LineReader()
            while true {
                wanted.wait()
                do throws(InputError) {
                    guard let line = try reader.next() else { return continuation.finish() }
                    continuation.yield(line)
                } catch {
                    return continuation.finish(throwing: ScriptInput.unreadable(error))
                }
            }
        }
        guard isStarted else { throw ScriptInput.unreadable(InputError(code: EAGAIN)) }
    }

    /// Returns the next line; nil at the end of input or if the task is cancelled.
    ///
    /// - Throws: a ``UsageError`` if standard input cannot be read.
    mutating func next() async throws -> Line? {
        wanted.signal()
        return try await lines.next(isolation: #isolation)
    }

    private static func unreadable(_ error: InputError) -> UsageError {
        UsageError("the calls could not be read from standard input: \(error.message)")
    }
}

/// Splits standard input into lines.
private struct LineReader {
    /// The maximum length of a line in bytes. The contents of a longer line are skipped.
    private static let limit = 64 << 20

    private var bytes: [UInt8] = []
    /// The number of `bytes` that have been returned already.
    private var start = 0
    private var isAtEnd = false
    private var isFirst = true

    mutating func next() throws(InputError) -> ScriptInput.Line? {
        var searched = start
        var isTooLong = false
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = bytes[start..<end]
                start = end + 1
                return self.line(line, isTooLong)
            }
            bytes.removeSubrange(..<start)
            start = 0
            if isAtEnd {
                let line = bytes[...]
                bytes = []
                return line.isEmpty && !isTooLong ? nil : self.line(line, isTooLong)
            }
            if bytes.count > LineReader.limit {
                isTooLong = true
                bytes = []
            }
            searched = bytes.count
            try readMore()
        }
    }

    private mutating func readMore() throws(InputError) {
        var piece = [UInt8](repeating: 0, count: 65_536)
        var count: Int
        repeat {
            count = unsafe piece.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw InputError(code: errno) }
        if count == 0 { isAtEnd = true }
        bytes += piece[..<count]
    }

    private mutating func line(_ bytes: ArraySlice<UInt8>, _ isTooLong: Bool) -> ScriptInput.Line {
        guard !isTooLong else { return .unusable("expected at most \(LineReader.limit) bytes, found more") }
        // Editors may put a byte order mark in front of a file.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var bytes = isFirst && bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
        isFirst = false
        // Accepts CRLF line endings.
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else { return .unusable("the line is not UTF-8") }
        // A path would end at the NUL.
        return text.utf8.contains(0) ? .unusable("the line contains a NUL byte") : .text(text)
    }
}
