public import ComponentKit

/// A selector as a requirement names it.
public struct SelectorReference: Hashable, Sendable {
    /// The name that callers use.
    public var name: String
    /// Whether it is called on an instance or on the class.
    public var kind: SelectorKind

    /// - Parameters:
    ///   - name: the name that callers use.
    ///   - kind: what it is called on.
    public init(name: String, kind: SelectorKind = .object) {
        self.name = name
        self.kind = kind
    }

    /// As manifests write it: a class method has a plus in front, as in "+open".
    init(_ text: String) {
        let isClassMethod = text.hasPrefix("+")
        self.init(name: isClassMethod ? String(text.dropFirst()) : text, kind: isClassMethod ? .class : .object)
    }
}

extension SelectorReference: CustomStringConvertible {
    /// As in "log" or "+open".
    public var description: String { kind == .class ? "+\(name)" : name }
}
