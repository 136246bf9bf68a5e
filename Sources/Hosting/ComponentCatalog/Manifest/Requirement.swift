public import ComponentKit

/// A requirement of a component.
public struct Requirement: Hashable, Sendable {
    /// The required component, class or service.
    public enum Subject: Hashable, Sendable {
        /// A component with this name, in a version within this range.
        case component(String, VersionRange)
        /// A class with this name and these selectors, in any component or the host.
        case linkClass(String, selectors: [SelectorReference] = [])
        /// A service with this name, in a compatible form, provided by any component or the host.
        case service(String)
    }

    /// The required component, class or service.
    public let subject: Subject
    /// Whether the component also works when the requirement is not met.
    public let isOptional: Bool
    /// The keys that this version of the host does not read, as a map; null when there are none.
    public let extra: Payload

    /// - Parameters:
    ///   - subject: The required component, class or service.
    ///   - isOptional: Whether the component also works when the requirement is not met.
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
    /// The requirement in the form `component EMAccount >=1.0.0 <2.0.0`, `class HostLink with log, +open` or
    /// `service com.example.account/1`.
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
