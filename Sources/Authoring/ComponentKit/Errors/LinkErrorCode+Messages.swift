extension LinkError.Code: CustomStringConvertible {
    /// The name of the code, as printed by the command line. An unknown code is shown by its number, such as `code 17`.
    public var description: String { entry?.name ?? "code \(rawValue)" }

    /// The meaning of the code, as a sentence.
    var sentence: String { entry?.sentence ?? "failed with code \(rawValue)" }

    /// Whether ``Answer/classIsLoad`` is true with this code, as it is unless a class, a component or a route was missing,
    /// failed or stopped.
    var meansClassIsLoaded: Bool {
        switch self {
        case .classNotFound, .notLoaded, .stopped, .routeNotFound, .routeRefused: false
        default: rawValue < 100
        }
    }

    private var entry: (name: String, sentence: String)? {
        switch self {
        case .classNotFound: ("classNotFound", "no component has this class")
        case .selectorNotFound: ("selectorNotFound", "the class has no such selector of this kind")
        case .notLoaded: ("notLoaded", "the component could not be loaded")
        case .stopped: ("stopped", "the component has been stopped")
        case .payloadMismatch: ("payloadMismatch", "the payload does not fit the method")
        case .methodFailed: ("methodFailed", "the method failed")
        case .deadlineExceeded: ("deadlineExceeded", "the deadline passed before the reply")
        case .cancelled: ("cancelled", "the call was cancelled")
        case .stuck:
            (
                "stuck",
                "too many threads are still running in the component for calls that have ended; it accepts calls again when some return"
            )
        case .noReply: ("noReply", "the method reported that it had replied, but had not")
        case .replyDropped: ("replyDropped", "the component released the reply without replying")
        case .invalidReply: ("invalidReply", "the reply is not a valid payload")
        case .wouldDeadlock: ("wouldDeadlock", "the call would wait for itself")
        case .tooDeep: ("tooDeep", "calls are nested deeper than the host allows")
        case .routeNotFound: ("routeNotFound", "no route matches the URL")
        case .routeDeclined: ("routeDeclined", "the method declined the URL")
        case .routeRefused: ("routeRefused", "an interceptor refused to open the route")
        case .untrustedFile: ("untrustedFile", "the file is not trusted")
        case .invalidFile: ("invalidFile", "the file is not a component")
        case .wrongABI: ("wrongABI", "built for another version of the boundary; rebuild the component")
        case .otherCompiler: ("otherCompiler", "built by another compiler; rebuild it with the host's compiler")
        case .cannotLink: ("cannotLink", "the dynamic loader refused the file")
        case .missingEntry: ("missingEntry", "the file exports no hslink_component function of its own")
        case .invalidDescriptor: ("invalidDescriptor", "the descriptor violates the contract")
        case .requirementNotMet: ("requirementNotMet", "a requirement is not met")
        case .createFailed: ("createFailed", "the component failed to start")
        case .shadowed: ("shadowed", "another file provides the same version or a higher one")
        case .fileChanged: ("fileChanged", "the file changed while it was being loaded; rescan")
        default: nil
        }
    }
}
