import Glibc
import SystemSupport

/// A folder that is to be made: it appears whole, under its name, or not at all.
struct Scaffold {
    enum Content {
        case text(String)
        /// The file at this path as it is.
        case copy(of: String)
    }

    /// Paths below the folder, with what is in the files.
    let files: [(path: String, content: Content)]

    /// Makes the folder: all is written beside it, and then renamed.
    ///
    /// - Parameter target: absolute, in a directory that is there.
    /// - Throws: why there is none now; nothing is left behind then.
    func make(at target: String) throws(ScaffoldError) {
        try Scaffold.refuseContent(of: target)
        let draft = ScaffoldDraft(beside: target)
        do throws(ScaffoldError) {
            try draft.make()
            for (path, content) in files {
                switch content {
                case .text(let text): try draft.write(Array(text.utf8), to: path)
                case .copy(let source): try draft.write(try Scaffold.bytes(of: source), to: path)
                }
            }
            try Interruption.check()
            guard unsafe rename(draft.path, target) == 0 else {
                throw ScaffoldError("\(target.escaped): cannot be made: \(systemMessage(errno))")
            }
        } catch {
            draft.remove()
            throw error
        }
    }

    /// An empty folder may be there: it is replaced.
    private static func refuseContent(of target: String) throws(ScaffoldError) {
        var status = stat()
        guard unsafe lstat(target, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw ScaffoldError("\(target.escaped): expected nothing or an empty folder, found a file")
        }
        guard let stream = unsafe opendir(target) else {
            throw ScaffoldError("\(target.escaped): cannot be read: \(systemMessage(errno))")
        }
        defer { unsafe closedir(stream) }
        // Two entries are the folder itself and the one above.
        for _ in 0..<2 { _ = unsafe readdir(stream) }
        guard unsafe readdir(stream) == nil else {
            throw ScaffoldError(
                "\(target.escaped): expected nothing or an empty folder, found one with files in it; choose another "
                    + "name, or another place with --path")
        }
    }

    private static func bytes(of path: String) throws(ScaffoldError) -> [UInt8] {
        var descriptor: Int32 = -1
        repeat {
            try Interruption.check()
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw ScaffoldError("\(path.escaped): cannot be read: \(systemMessage(errno))") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            try Interruption.check()
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw ScaffoldError("\(path.escaped): cannot be read: \(systemMessage(errno))") }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}

/// Why a folder was not made.
struct ScaffoldError: Error {
    let message: String
    /// The signal that ended it, where one did.
    var signal: Int32?

    init(_ message: String, signal: Int32? = nil) {
        self.message = message
        self.signal = signal
    }
}
