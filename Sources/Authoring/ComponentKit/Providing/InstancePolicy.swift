import CHSLink

/// The way a host creates and shares instances of a link class.
public enum InstancePolicy: String, Sendable, Hashable {
    /// One instance per component value, created at the first object call, and again at the next one if the host has
    /// released it meanwhile.
    case shared
    /// One instance per call.
    case perCall
    /// One instance per calling component, and one for the host's own code; each is created at that caller's first
    /// object call.
    case perConsumer

    package var boundary: UInt32 {
        switch self {
        case .shared: UInt32(HSLINK_SHARED)
        case .perCall: UInt32(HSLINK_PER_CALL)
        case .perConsumer: UInt32(HSLINK_PER_CONSUMER)
        }
    }
}
