import CHSLink

/// Whether a selector is called on an instance or on the class itself. A class may have both under one
/// name; they are different methods.
public enum SelectorKind: String, Sendable, Hashable, CaseIterable {
    /// Called on an instance.
    case object
    /// Called on the class.
    case `class`

    package init?(boundary kind: UInt32) {
        switch Int(kind) {
        case HSLINK_OBJECT_METHOD: self = .object
        case HSLINK_CLASS_METHOD: self = .class
        default: return nil
        }
    }

    package var boundary: UInt32 {
        switch self {
        case .object: UInt32(HSLINK_OBJECT_METHOD)
        case .class: UInt32(HSLINK_CLASS_METHOD)
        }
    }
}
