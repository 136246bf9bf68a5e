/// Describes the service that a client calls: its name, its protocol and its functions.
public struct __ServiceDescription: Sendable, Hashable {
    /// The name of the service, such as "com.example.account/1", which is the same in all programs and languages.
    public let name: String
    /// The name of the Swift protocol, for messages.
    public let protocolName: String
    /// The selectors of the functions, in the order of the protocol.
    public let selectors: [String]
    /// Whether the functions are called on an instance or on the class.
    public let kind: SelectorKind

    /// Creates the description of a service.
    ///
    /// - Parameters:
    ///   - name: the name of the service, such as "com.example.account/1".
    ///   - protocolName: the name of the Swift protocol, for messages.
    ///   - selectors: the selectors of the functions; clients refer to them by index.
    ///   - kind: whether the functions are called on an instance or on the class.
    public init(name: String, protocolName: String, selectors: [String], kind: SelectorKind = .object) {
        self.name = name
        self.protocolName = protocolName
        self.selectors = selectors
        self.kind = kind
    }
}

/// The destination of a service's calls: its selectors, bound once to a class or to an instance.
public struct __ServiceEndpoint: Sendable {
    private let methods: [any BoundMethod]
    /// The client's link, for values that travel by reference.
    public let link: Link?
    /// The instance that answers; nil if the class does.
    let object: LinkObject?
    /// Whether functions with a route open their URL instead of calling the provider.
    public let opensRoutes: Bool

    /// Creates an endpoint that calls a link class.
    ///
    /// - Throws: `LinkError` if the class cannot be loaded, or lacks one of the selectors.
    init(
        _ service: __ServiceDescription, of className: String, _ link: Link, through access: ServiceAccess
    ) throws(LinkError) {
        var methods: [any BoundMethod] = []
        methods.reserveCapacity(service.selectors.count)
        for selector in service.selectors {
            do {
                methods.append(try link.backend.bind(className, selector, kind: service.kind))
            } catch {
                throw error.withoutSelector(selector)
            }
        }
        self.methods = methods
        self.link = link
        object = nil
        opensRoutes = access == .routes
    }

    /// Creates an endpoint that calls an instance.
    init(_ service: __ServiceDescription, of object: LinkObject, _ link: Link) {
        methods = service.selectors.map { ObjectMethod(object, $0, link: link) }
        self.link = link
        self.object = object
        // A URL leads to a class, never to this instance.
        opensRoutes = false
    }

    /// Calls a function on this thread, and blocks the thread until it has replied.
    ///
    /// - Parameters:
    ///   - index: the index of the function in the service's selectors.
    ///   - payload: the arguments of the function by name.
    /// - Throws: the provider's error if it is a model that this program contains, otherwise a ``LinkError``.
    public func call(_ index: Int, _ payload: borrowing Payload) throws -> Payload {
        do {
            return try methods[index].callAndWait(payload)
        } catch {
            throw error.originalOrSelf
        }
    }

    /// Calls a function and suspends until it has replied; otherwise like the blocking form.
    public func call(_ index: Int, _ payload: Payload) async throws -> Payload {
        switch await methods[index].callAndAwait(payload, nil) {
        case .success(let value): return value
        case .failure(let error): throw error.originalOrSelf
        }
    }

    /// Opens the route of a function, and blocks this thread until it has been answered.
    ///
    /// - Throws: the errors of ``Link/open(_:timeout:)``.
    public func open<Result>(_ route: TypedRoute<Result>) throws -> Result {
        try opener().openAndWait(route)
    }

    /// Opens the route of a function, and suspends until it has been answered; otherwise like the blocking form.
    public func open<Result>(_ route: TypedRoute<Result>) async throws -> Result {
        try await opener().open(route)
    }

    private func opener() throws(LinkError) -> Link {
        guard let link else { throw LinkError(.methodFailed, message: "a URL can be opened only through a link") }
        return link
    }
}

extension LinkError {
    /// The error of a client that can't be made. The program has called no method, so only a missing one is named.
    fileprivate func withoutSelector(_ bound: String) -> LinkError {
        guard code != .selectorNotFound, selector.isExactly(bound) else { return self }
        var error = self
        error.selector = ""
        return error
    }
}
