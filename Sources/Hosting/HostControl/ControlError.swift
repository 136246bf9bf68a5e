import SystemSupport

/// An error of a control socket: a client cannot reach the host, or the host cannot offer the socket.
///
/// `message` is a human-readable sentence that names the socket. Failures of calls are `LinkError`s instead.
public struct ControlError: Error, Hashable, Sendable {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable, machine-readable name.
        public let description: String

        init(_ description: String) { self.description = description }

        /// The path is empty, invalid or too long, or its directory cannot be used.
        public static let invalidPath = Code("invalidPath")
        /// There is no file at the path.
        public static let noSocket = Code("noSocket")
        /// The file at the path is not a control socket.
        public static let notASocket = Code("notASocket")
        /// The socket was left by a host that has ended.
        public static let nobodyListens = Code("nobodyListens")
        /// The socket or its listener belongs to another user, or other users could replace the socket.
        public static let notAllowed = Code("notAllowed")
        /// Another host listens there.
        public static let inUse = Code("inUse")
        /// A system call failed; the message has the system's error message.
        public static let system = Code("system")
        /// The other side closed the connection before it answered, or did not answer in time.
        public static let connectionLost = Code("connectionLost")
        /// The received data violates the protocol.
        public static let malformed = Code("malformed")
        /// A limit of the other side was exceeded: connections, calls in flight, or bytes.
        public static let tooMuch = Code("tooMuch")
        /// The request has the id of one that is in flight on the connection, and was not executed.
        public static let idInUse = Code("idInUse")
        /// The host does not know the request, because it is older than the client.
        public static let unknownRequest = Code("unknownRequest")
    }

    /// The kind of failure.
    public var code: Code
    /// What was expected, what was found, and what to do.
    public var message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: a sentence that names the socket, if there is one.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Makes an error from a sentence and the system's message for `error`.
    static func system(_ error: Int32, _ message: String) -> ControlError {
        ControlError(.system, "\(message): \(systemMessage(error))")
    }
}

extension ControlError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
