import SystemSupport

/// An error from opening, reading or parsing a file. The message is one sentence that begins with the path:
///
///     "/films/clip.mp4": it ends at byte 900, inside the box 'moov' that begins at byte 36; copy the file again
public struct FileError: Error, Hashable, Sendable {
    /// The kind of failure. A struct, so that a new code breaks no `switch`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name, as in "notFound".
        public var rawValue: String

        /// Makes a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file does not exist (`ENOENT`, `ENOTDIR`), or the path is not valid.
        public static let notFound = Code(rawValue: "notFound")
        /// The path leads to a directory, FIFO, socket or device; only regular files are read.
        public static let notRegularFile = Code(rawValue: "notRegularFile")
        /// The process may not read the file (`EACCES`, `EPERM`).
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// The system failed to open or read the file for another reason, given in the message.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// The file is shorter than the lengths inside it require.
        public static let truncated = Code(rawValue: "truncated")
        /// The content violates its own format.
        public static let malformed = Code(rawValue: "malformed")
        /// The file may be valid, but its format or variant is not supported.
        public static let unsupported = Code(rawValue: "unsupported")
        /// Reading the file would take more memory or time than the reader allows.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
    }

    /// The kind of failure.
    public var code: Code
    /// The path, what was expected, what was found, and advice if there is any.
    public var message: String
    /// The message without the path, for readers who may not know where the file is.
    public let reason: String

    /// Makes an error about the file at `path`.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - path: The path of the file. The message quotes it and escapes its control characters.
    ///   - reason: The rest of the sentence.
    public init(_ code: Code, path: String, _ reason: String) {
        self.code = code
        self.reason = reason
        self.message = "\(path.quoted(limit: 200)): \(reason)"
    }
}

extension FileError.Code {
    /// What is wrong, for people: the end of a sentence such as "The picture cannot be read: the file is damaged."
    public var words: String {
        switch self {
        case .notFound: "it is gone"
        case .notRegularFile: "it is not a file"
        case .permissionDenied: "the host may not read it"
        case .truncated: "the file is cut off"
        case .malformed: "the file is damaged"
        case .unsupported: "the host does not know files of this kind"
        case .limitExceeded: "it is too large"
        default: "the system cannot read it"
        }
    }
}

extension FileError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
