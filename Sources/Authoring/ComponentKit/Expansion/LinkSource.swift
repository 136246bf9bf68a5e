// Two underscores keep a name out of completion and documentation.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A type whose values can make references that travel. Instances, closures and streams belong to the component, or to
/// the host, whose link made them.
public protocol __LinkSource: ~Copyable {
    /// The link of the component or host; nil if there is none, in which case only values can travel.
    var __link: Link? { get }
}

extension CallContext: __LinkSource {
    /// The link of the called component.
    public var __link: Link? { link }
}

extension AsyncCallContext: __LinkSource {
    /// The link of the called component.
    public var __link: Link? { link }
}

extension ComponentContext: __LinkSource {
    /// The link of the component.
    public var __link: Link? { link }
}

extension __ServiceEndpoint: __LinkSource {
    /// The link of the client.
    public var __link: Link? { link }
}

extension Link: __LinkSource {
    /// The link itself.
    public var __link: Link? { self }
}

extension Optional: __LinkSource where Wrapped == Link {
    /// The link itself, if there is one.
    public var __link: Link? { self }
}

extension __LinkSource where Self: ~Copyable {
    /// Returns the link, for values that cannot travel without one.
    ///
    /// - Parameter what: the kind of value, for the error message.
    /// - Throws: `LinkError` with code ``LinkError/Code/methodFailed`` if there is no link.
    func requireLink(for what: String) throws(LinkError) -> Link {
        guard let link = __link else {
            throw LinkError(
                .methodFailed, message: "\(what) travels as a reference, which requires a link; there is none here"
            )
        }
        return link
    }
}
