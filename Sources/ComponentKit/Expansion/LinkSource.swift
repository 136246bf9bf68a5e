// Two underscores keep a name out of completion and documentation.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// What can make references that travel: instances, closures and streams belong to the component, or to the host,
/// whose link made them.
public protocol __LinkSource: ~Copyable {
    /// The link of the component or host; nil when there is none and only values can travel.
    var __link: Link? { get }
}

extension CallContext: __LinkSource {
    /// The way to others.
    public var __link: Link? { link }
}

extension AsyncCallContext: __LinkSource {
    /// The way to others.
    public var __link: Link? { link }
}

extension ComponentContext: __LinkSource {
    /// The way to others.
    public var __link: Link? { link }
}

extension __ServiceEndpoint: __LinkSource {
    /// The way to others.
    public var __link: Link? { link }
}

extension Link: __LinkSource {
    /// The way to others.
    public var __link: Link? { self }
}

extension Optional: __LinkSource where Wrapped == Link {
    /// The way to others.
    public var __link: Link? { self }
}

extension __LinkSource where Self: ~Copyable {
    /// The link, for values that cannot travel without one.
    func requireLink(for what: String) throws(LinkError) -> Link {
        guard let link = __link else {
            throw LinkError(
                .methodFailed, message: "\(what) travels as a reference, which only a call that knows its link can make"
            )
        }
        return link
    }
}
