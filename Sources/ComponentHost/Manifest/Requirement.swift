public import ComponentKit

/// What a component needs of others.
public struct Requirement: Hashable, Sendable {
    /// What is needed.
    public enum Subject: Hashable, Sendable {
        /// A component of this name, in one of these versions.
        case component(String, VersionRange)
        /// A class of this name, of any component or of the host, that has these selectors.
        case linkClass(String, selectors: [SelectorReference] = [])
        /// A service of this name, provided by any component or by the host, in a form that fits.
        case service(String)
    }

    /// What is needed.
    public let subject: Subject
    /// Whether the component also works without.
    public let isOptional: Bool
    /// A map of the keys that this version of the host does not read; null when there are none.
    public let extra: Payload

    /// - Parameters:
    ///   - subject: what is needed.
    ///   - isOptional: whether the component also works without.
    public init(_ subject: Subject, isOptional: Bool = false) {
        self.init(subject, isOptional: isOptional, extra: .null)
    }

    init(_ subject: Subject, isOptional: Bool, extra: Payload) {
        self.subject = subject
        self.isOptional = isOptional
        self.extra = extra
    }

    /// The name of the component, class or service.
    public var name: String {
        switch subject {
        case .component(let name, _), .linkClass(let name, _), .service(let name): name
        }
    }
}

extension Requirement: CustomStringConvertible {
    /// As in "component EMAccount >=1.0.0 <2.0.0", "class HostLink with log, +open" or "service com.example.account/1".
    public var description: String {
        switch subject {
        case .component(let name, .any): "component \(name)"
        case .component(let name, let range): "component \(name) \(range)"
        case .linkClass(let name, let selectors):
            selectors.isEmpty
                ? "class \(name)" : "class \(name) with \(selectors.map(\.description).joined(separator: ", "))"
        case .service(let name): "service \(name)"
        }
    }
}
