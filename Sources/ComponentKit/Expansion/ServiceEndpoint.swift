/// Which service a client speaks to: what its protocol is called, and what its functions are.
public struct __ServiceDescription: Sendable, Hashable {
    /// As in "com.example.account/1": the same in all programs and languages.
    public let name: String
    /// The Swift protocol, for messages.
    public let protocolName: String
    /// The selectors of its functions, in the order of the protocol.
    public let selectors: [String]

    /// - Parameters:
    ///   - name: as in "com.example.account/1".
    ///   - protocolName: the Swift protocol, for messages.
    ///   - selectors: those of its functions, in the order in which a client calls them.
    public init(name: String, protocolName: String, selectors: [String]) {
        self.name = name
        self.protocolName = protocolName
        self.selectors = selectors
    }
}

/// Where a service's calls go: its selectors, bound once, to a class or to an instance.
public struct __ServiceEndpoint: Sendable {
    private let methods: [any BoundMethod]
    /// The way to others, for what travels by reference.
    public let link: Link?
    /// The instance that answers; nil when the class does.
    let object: LinkObject?

    /// Calls go to a link class.
    ///
    /// - Throws: why the class is not loaded, or which selector it does not have.
    init(_ service: __ServiceDescription, of className: String, _ link: Link) throws(LinkError) {
        var methods: [any BoundMethod] = []
        methods.reserveCapacity(service.selectors.count)
        for selector in service.selectors { methods.append(try link.backend.bind(className, selector, .object)) }
        self.methods = methods
        self.link = link
        object = nil
    }

    /// Calls go to an instance.
    init(_ service: __ServiceDescription, of object: LinkObject, _ link: Link) {
        methods = service.selectors.map { ObjectMethod(object, $0, link) }
        self.link = link
        self.object = object
    }

    /// Calls a function on this thread; one that replies later blocks it until then.
    ///
    /// - Parameters:
    ///   - index: of the function in the service's selectors.
    ///   - payload: its arguments by name.
    /// - Throws: the provider's error, when it is a model that this program knows; else a ``LinkError``.
    public func call(_ index: Int, _ payload: borrowing Payload) throws -> Payload {
        do {
            return try methods[index].callAndWait(payload)
        } catch {
            throw error.originalOrSelf
        }
    }

    /// Calls a function and suspends until it has replied; otherwise like the form that blocks.
    public func call(_ index: Int, _ payload: Payload) async throws -> Payload {
        switch await methods[index].callAndAwait(payload, nil) {
        case .success(let value): return value
        case .failure(let error): throw error.originalOrSelf
        }
    }
}
