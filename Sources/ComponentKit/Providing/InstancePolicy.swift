import CHSLink

/// How the host keeps instances of a link class.
public enum InstancePolicy: String, Sendable, Hashable {
    /// One for each component value, made at the first object call.
    case shared
    /// One for each call.
    case perCall
    /// One for each component that calls, and one for the host's own code; each made at the first object call from
    /// there.
    case perConsumer

    package var boundary: UInt32 {
        switch self {
        case .shared: UInt32(HSLINK_SHARED)
        case .perCall: UInt32(HSLINK_PER_CALL)
        case .perConsumer: UInt32(HSLINK_PER_CONSUMER)
        }
    }
}
