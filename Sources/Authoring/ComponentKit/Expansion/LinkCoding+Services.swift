// Services that travel by reference: parameters and results of type `any AccountService`.
extension __LinkCoding {
    /// Returns a service as a payload that refers to an instance: `value` itself or, for a client, the one it calls.
    ///
    /// - Throws: `LinkError` with code ``LinkError/Code/payloadMismatch`` if the value is neither an instance of a link
    ///   class nor a client that calls an instance, or if it is an instance but the source has no link. A client that
    ///   calls a class, whose instances the host makes, cannot be passed on, nor can a service whose functions are class
    ///   methods.
    public static func service<Client: ServiceClient, Source: __LinkSource & ~Copyable>(
        _ value: Any, as client: Client.Type, for source: borrowing Source
    ) throws -> Payload {
        guard Client.__service.kind == .object else {
            throw LinkError(
                .payloadMismatch,
                message: "\(Client.__service.protocolName) can't be passed on: its functions are class methods")
        }
        if let client = value as? any ServiceClient, let object = client.__endpoint.object { return Payload(object) }
        guard let instance = value as? any LinkClass, let link = source.__link else {
            throw LinkError(
                .payloadMismatch,
                message:
                    "\(type(of: value)) can't be passed as \(Client.__service.protocolName): it is not an instance of "
                    + "a class marked @LinkClass")
        }
        return link.object(instance)
    }

    /// Returns a client of the service that is the value for `key`.
    public static func service<Client: ServiceClient>(
        _ key: String, in payload: borrowing some PayloadReading & ~Copyable, as client: Client.Type,
        for source: borrowing some __LinkSource & ~Copyable
    ) throws -> Client {
        try endpoint(of: payload.value(key, as: LinkObject.self), for: source)
    }

    /// Returns a client of the service that is the whole reply.
    public static func service<Client: ServiceClient>(
        of payload: Payload, as client: Client.Type, for source: borrowing some __LinkSource & ~Copyable
    ) throws -> Client {
        try endpoint(of: payload.value(as: LinkObject.self), for: source)
    }

    private static func endpoint<Client: ServiceClient>(
        of object: LinkObject, for source: borrowing some __LinkSource & ~Copyable
    ) throws -> Client {
        guard let link = source.__link else {
            throw LinkError(.methodFailed, message: "a service can be called only through a link; there is none here")
        }
        return Client(__endpoint: __ServiceEndpoint(Client.__service, of: object, link))
    }
}
