/// Who can make references that travel: instances, closures and streams belong to the component, or to the host,
/// whose link made them.
public protocol LinkSource: ~Copyable {
    /// The link of the component or host; nil where there is none, and only values can travel.
    var link: Link? { get }
}

extension CallContext: LinkSource {}

extension ComponentContext: LinkSource {
    /// The component's link, which is always there.
    @_implements(LinkSource,link)
    public var linkOfSource: Link? {
        // By its type: as an optional it would be this very property.
        let own: Link = link
        return own
    }
}

extension Link: LinkSource {
    /// The link itself.
    public var link: Link? { self }
}

extension Optional: LinkSource where Wrapped == Link {
    /// The link that ``CallContext/link`` returned.
    public var link: Link? { self }
}

extension LinkSource where Self: ~Copyable {
    /// The link, for values that cannot travel without one.
    func requireLink(for what: String) throws(LinkError) -> Link {
        guard let link else {
            throw LinkError(
                .methodFailed, message: "\(what) travels as a reference, which only a call that knows its link can make"
            )
        }
        return link
    }
}
