import SystemSupport

/// Why a host cannot be reached over its control socket, or cannot offer one.
///
/// `message` is a sentence for people that names the socket; failures of calls are `LinkError`s instead.
public struct ControlError: Error, Hashable, Sendable {
    /// The kind of reason.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// Its name, as programs are told; stable.
        public let description: String

        init(_ description: String) { self.description = description }

        /// The path is empty, too long, or its directory cannot be used.
        public static let invalidPath = Code("invalidPath")
        /// Nothing lies at the path.
        public static let noSocket = Code("noSocket")
        /// Something else than a socket lies at the path.
        public static let notASocket = Code("notASocket")
        /// The socket is that of a host that has ended.
        public static let nobodyListens = Code("nobodyListens")
        /// The socket belongs to somebody else, somebody else listens there, or others could put theirs in its place.
        public static let notAllowed = Code("notAllowed")
        /// Another host listens there.
        public static let inUse = Code("inUse")
        /// The system refused something; the message has its words.
        public static let system = Code("system")
        /// The other side went away before it had answered.
        public static let connectionLost = Code("connectionLost")
        /// What came is not what this protocol says.
        public static let malformed = Code("malformed")
        /// More than the other side takes: connections, calls at a time, or bytes.
        public static let tooMuch = Code("tooMuch")
        /// A request has the id of another one that is under way on the connection; it was not carried out.
        public static let idInUse = Code("idInUse")
        /// The host does not know the request: it is older than this program.
        public static let unknownRequest = Code("unknownRequest")
    }

    /// The kind of reason.
    public var code: Code
    /// What was expected, what was there, what to do.
    public var message: String

    /// - Parameters:
    ///   - code: the kind of reason.
    ///   - message: a sentence that names the socket where there is one.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// What the system says about `error`, after a sentence.
    static func system(_ error: Int32, _ message: String) -> ControlError {
        ControlError(.system, "\(message): \(systemMessage(error))")
    }
}

extension ControlError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
