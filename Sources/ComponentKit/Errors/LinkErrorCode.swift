import CHSLink

extension LinkError {
    /// The kind of a failure. New ones may come; a `switch` over codes needs a default.
    ///
    /// The first group answers calls and has the numbers of `hslink.h`; the second says why a component is
    /// not there and stands in the cause of ``notLoaded`` and in the host's table.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number at the boundary.
        public var rawValue: Int32

        /// The code of a number, known here or not.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// No component has the class.
        public static let classNotFound = Code(rawValue: 1)
        /// The class is there, the selector of that kind is not.
        public static let selectorNotFound = Code(rawValue: 2)
        /// The component is there but could not be loaded; the cause says why.
        public static let notLoaded = Code(rawValue: 3)
        /// The component or the host has been stopped.
        public static let stopped = Code(rawValue: 4)
        /// The payload does not fit the method.
        public static let payloadMismatch = Code(rawValue: 5)
        /// The method failed in its own way.
        public static let methodFailed = Code(rawValue: 6)
        /// The deadline passed before the reply.
        public static let deadlineExceeded = Code(rawValue: 7)
        /// The caller, or stop, cancelled the call.
        public static let cancelled = Code(rawValue: 8)
        /// Too many threads are still inside the component for calls that have ended; it takes calls again when some
        /// return.
        public static let stuck = Code(rawValue: 9)
        /// The method said that it replied and did not.
        public static let noReply = Code(rawValue: 10)
        /// The last owner of the reply released it without replying.
        public static let replyDropped = Code(rawValue: 11)
        /// The reply is no valid payload.
        public static let invalidReply = Code(rawValue: 12)
        /// The call would wait for itself.
        public static let wouldDeadlock = Code(rawValue: 13)
        /// Calls inside calls beyond what a host allows; the message shows the way.
        public static let tooDeep = Code(rawValue: 14)

        /// The file or folder may be changed by others, or belongs to a stranger.
        public static let untrustedFile = Code(rawValue: 100)
        /// The file is no component, or its manifest is broken.
        public static let invalidFile = Code(rawValue: 101)
        /// Built for another version of the boundary.
        public static let wrongABI = Code(rawValue: 102)
        /// Shares the Swift runtime but was built by another compiler than the host.
        public static let otherCompiler = Code(rawValue: 103)
        /// The dynamic loader refused it: a missing library or symbol, with the loader's message.
        public static let cannotLink = Code(rawValue: 104)
        /// It has no entry of its own, or one that returns nothing.
        public static let missingEntry = Code(rawValue: 105)
        /// Its descriptor does not keep to the contract or to its manifest.
        public static let invalidDescriptor = Code(rawValue: 106)
        /// Something that it requires is not there.
        public static let requirementNotMet = Code(rawValue: 107)
        /// Its own `create` failed.
        public static let createFailed = Code(rawValue: 108)
        /// Another file provides the same version of the component, or a higher one.
        public static let shadowed = Code(rawValue: 109)
        /// The file changed between being listed and being loaded.
        public static let fileChanged = Code(rawValue: 110)
    }
}
