import CHSLink

extension LinkError {
    /// The kind of a failure. New codes may be added, so a `switch` over codes needs a default.
    ///
    /// Codes in the first group answer calls and have the numbers from `hslink.h`. Codes in the second group, from 100
    /// on, give the reason why a component is unavailable; they appear in the cause of ``notLoaded`` and in the host's
    /// list of components.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number at the boundary.
        public var rawValue: Int32

        /// Creates the code with this number, which need not be a known one.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// No component has the class.
        public static let classNotFound = Code(rawValue: 1)
        /// The class exists, but has no such selector of that kind.
        public static let selectorNotFound = Code(rawValue: 2)
        /// The component was found but could not be loaded; the cause gives the reason.
        public static let notLoaded = Code(rawValue: 3)
        /// The component or the host has been stopped.
        public static let stopped = Code(rawValue: 4)
        /// The payload does not fit the method.
        public static let payloadMismatch = Code(rawValue: 5)
        /// The method failed in its own way.
        public static let methodFailed = Code(rawValue: 6)
        /// The deadline passed before the reply.
        public static let deadlineExceeded = Code(rawValue: 7)
        /// The caller cancelled the call, or the host stopped.
        public static let cancelled = Code(rawValue: 8)
        /// Too many threads are still running in the component for calls that have ended. The component accepts calls
        /// again when some of them return.
        public static let stuck = Code(rawValue: 9)
        /// The method reported that it had replied, but had not.
        public static let noReply = Code(rawValue: 10)
        /// The last owner of the reply released it without replying.
        public static let replyDropped = Code(rawValue: 11)
        /// The reply is not a valid payload, or not one that the caller can read.
        public static let invalidReply = Code(rawValue: 12)
        /// The call would wait for itself.
        public static let wouldDeadlock = Code(rawValue: 13)
        /// Calls are nested deeper than the host or the thread's stack allows; a host's message shows the path.
        public static let tooDeep = Code(rawValue: 14)
        /// No route matches the URL, or none that its source may open.
        public static let routeNotFound = Code(rawValue: 15)
        /// The method with the route declined the URL by throwing ``RouteDeclined``, and no other route is left.
        public static let routeDeclined = Code(rawValue: 16)
        /// An interceptor refused to open the route; the message has its reason.
        public static let routeRefused = Code(rawValue: 17)

        /// Other users can change the file or folder, or one of them owns it.
        public static let untrustedFile = Code(rawValue: 100)
        /// The file is not a component, or its manifest is broken.
        public static let invalidFile = Code(rawValue: 101)
        /// The component was built for another version of the boundary.
        public static let wrongABI = Code(rawValue: 102)
        /// The component shares the Swift runtime with the host, but was built by another compiler.
        public static let otherCompiler = Code(rawValue: 103)
        /// The dynamic loader refused the file, for instance because a library or symbol is missing; the message
        /// includes the loader's own.
        public static let cannotLink = Code(rawValue: 104)
        /// The file has no entry function of its own, or the function returned NULL.
        public static let missingEntry = Code(rawValue: 105)
        /// The descriptor violates the contract, or contradicts the manifest.
        public static let invalidDescriptor = Code(rawValue: 106)
        /// A requirement of the component is not met.
        public static let requirementNotMet = Code(rawValue: 107)
        /// The component's own `create` failed.
        public static let createFailed = Code(rawValue: 108)
        /// Another file provides the same version of the component, or a higher one.
        public static let shadowed = Code(rawValue: 109)
        /// The file changed between being listed and being loaded.
        public static let fileChanged = Code(rawValue: 110)
    }
}

extension LinkError.Code: CustomStringConvertible {
    /// The name of the code, as printed by the command line. An unknown code is shown by its number, such as `code 17`.
    public var description: String { entry?.name ?? "code \(rawValue)" }

    /// The meaning of the code, as a sentence.
    var sentence: String { entry?.sentence ?? "failed with code \(rawValue)" }

    /// Whether ``Answer/classIsLoad`` is true with this code, as it is unless a class, a component or a route was missing,
    /// failed or stopped.
    package var meansClassIsLoaded: Bool {
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
