import ComponentKit
import Crypto
import Dispatch
import Foundation

/// The sessions that have been ended while their cookies were still valid: others may have them.
///
/// Each is kept until its cookie would be too old anyway; if there are too many, the oldest are dropped. With a file, they
/// outlive the host, as the secret does that signs the cookies. Without one, that secret is made anew at each start, so no
/// cookie from before a restart counts.
final class EndedSessions: Sendable {
    /// When each becomes irrelevant, in seconds since 1970, by digest.
    private let expiries: Lock<[Data: Int]>
    private let file: String?
    /// One write at a time, on a thread that may wait for the disk.
    private let queue = DispatchQueue(label: "ComponentWeb.EndedSessions")

    static let most = 10_000
    /// How long requests may still arrive that a browser has sent before it learned of the end, in seconds.
    private static let grace = 60

    /// The file does not have the form that this class writes.
    struct Malformed: Error {}

    /// Reads the sessions from a file.
    ///
    /// - Parameters:
    ///   - file: the path of the file, which need not exist; nil to keep them in memory only.
    ///   - now: the time in seconds since 1970. Who has expired by then is forgotten.
    /// - Throws: ``Malformed``, or an error if the file exists and cannot be read.
    init(file: String?, now: Int) throws {
        self.file = file
        var expiries: [Data: Int] = [:]
        if let file, FileManager.default.fileExists(atPath: file) {
            let bytes = try Data(contentsOf: URL(filePath: file))
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                    .map { String(decoding: $0, as: UTF8.self) }
                guard words.count == 2, let expiry = Int(words[0]), let digest = Data(base64Encoded: words[1]),
                    digest.count == SHA256.byteCount
                else { throw Malformed() }
                if expiry > now { expiries[digest] = expiry }
            }
        }
        self.expiries = Lock(expiries)
    }

    /// Keeps them in memory only.
    init() {
        file = nil
        expiries = Lock([:])
    }

    /// Who reads the file learns no id.
    private static func digest(_ id: String) -> Data { Data(SHA256.hash(data: Data(id.utf8))) }

    func contains(_ id: String) -> Bool {
        let digest = EndedSessions.digest(id)
        return expiries.withLock { $0[digest] != nil }
    }

    /// Whether the session has ended so recently that its browser may not have noticed.
    func hasJustEnded(_ id: String, now: Int) -> Bool {
        let digest = EndedSessions.digest(id)
        return expiries.withLock { $0[digest] }.map { $0 - SessionKeys.lifetime + EndedSessions.grace > now } ?? false
    }

    /// Adds a session in memory.
    func note(_ id: String, now: Int) {
        let digest = EndedSessions.digest(id)
        expiries.withLock { expiries in
            // No cookie of the session has been made after now.
            expiries[digest] = now + SessionKeys.lifetime
            guard expiries.count > EndedSessions.most else { return }
            let oldest = expiries.filter { $0.key != digest }.min { $0.value < $1.value }
            if let oldest { expiries[oldest.key] = nil }
        }
    }

    /// Adds a session, and returns once it has been written. It counts at once, and also if that fails.
    ///
    /// - Throws: an error if the file cannot be written.
    func add(_ id: String, now: Int) async throws {
        note(id, now: now)
        guard let file else { return }
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                // Whatever has been added until now, so that an earlier state never replaces a later one.
                let lines = expiries.withLock { $0.filter { $0.value > now } }.sorted { $0.value < $1.value }
                    .map { "\($0.value) \($0.key.base64EncodedString())\n" }
                done.resume(
                    with: Result { try Data(lines.joined().utf8).write(to: URL(filePath: file), options: .atomic) })
            }
        }
    }
}
