import Glibc
import SystemSupport

/// A folder to create. It appears complete under its name, or not at all.
struct Scaffold {
    enum Content {
        case text(String)
        /// An unchanged copy of the file at this path.
        case copy(of: String)
    }

    /// The files, with paths relative to the folder.
    let files: [(path: String, content: Content)]

    /// Creates the folder. All files are written to a temporary folder next to it, which is then renamed.
    ///
    /// - Parameter target: the absolute path of the folder, in an existing directory.
    /// - Throws: a ``ScaffoldError`` if the folder could not be created. Nothing is left behind in that case.
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
                throw ScaffoldError("\(target.escaped): cannot be created: \(systemMessage(errno))")
            }
        } catch {
            draft.remove()
            throw error
        }
    }

    /// Rejects a target that exists, unless it is an empty folder, which is replaced.
    private static func refuseContent(of target: String) throws(ScaffoldError) {
        var status = stat()
        guard unsafe lstat(target, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw ScaffoldError("\(target.escaped): already exists and is not a folder")
        }
        let entries: DirectoryEntries
        do throws(DirectoryEntries.Failure) {
            entries = try DirectoryEntries(target)
        } catch {
            throw ScaffoldError("\(target.escaped): cannot be read: \(systemMessage(error.number))")
        }
        guard entries.next() == nil else {
            throw ScaffoldError(
                "\(target.escaped): already exists and is not empty; choose another name, or another directory with "
                    + "--path")
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

/// The reason why a folder was not created.
struct ScaffoldError: Error {
    let message: String
    /// The signal that interrupted the creation; nil for any other reason.
    var signal: Int32?

    init(_ message: String, signal: Int32? = nil) {
        self.message = message
        self.signal = signal
    }
}
