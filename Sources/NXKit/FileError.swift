import SystemSupport

/// Why a file could not be opened, read or understood. The message is one sentence that begins with the path:
///
///     "/films/clip.mp4": it ends inside the box 'moov' at byte 36, which is 1215 bytes long; copy the file again
public struct FileError: Error, Hashable, Sendable {
    /// What kind of failure it is. A struct, so that a new one breaks no `switch`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name, as in "notFound".
        public var rawValue: String

        /// A code of the given name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nothing is there under this path (`ENOENT`, `ENOTDIR`), or it is not a valid path.
        public static let notFound = Code(rawValue: "notFound")
        /// The path leads to a directory, FIFO, socket or device; only regular files are read.
        public static let notRegularFile = Code(rawValue: "notRegularFile")
        /// The process may not read it (`EACCES`, `EPERM`).
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// The system failed to open or to read it for another reason; the message has the system's own.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// The file ends before the bytes that its own lengths promise.
        public static let truncated = Code(rawValue: "truncated")
        /// Its bytes contradict the format that they claim to be.
        public static let malformed = Code(rawValue: "malformed")
        /// It may well be sound, but it is of a format or variant that is not read here.
        public static let unsupported = Code(rawValue: "unsupported")
        /// It asks for more memory or time than a reader is ready to spend.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
    }

    /// What kind of failure it is.
    public var code: Code
    /// What was expected, what was there, and what to do where there is something to do; begins with the path.
    public var message: String

    /// An error about the file at `path`.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it is.
    ///   - path: The file's path. It is quoted and its control characters are escaped.
    ///   - reason: The rest of the sentence.
    public init(_ code: Code, path: String, _ reason: String) {
        self.code = code
        self.message = "\(path.quoted(limit: 200)): \(reason)"
    }
}

extension FileError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
