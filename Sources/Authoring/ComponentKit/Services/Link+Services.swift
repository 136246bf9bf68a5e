/// How a client of a service reaches its provider.
public enum ServiceAccess: Hashable, Sendable {
    /// Each function is a call of the provider. No interceptor is asked.
    case calls
    /// Each function with a ``Route(_:public:tags:priority:)`` opens its URL, so that interceptors, redirects and tags
    /// apply to it as if the URL had been opened from inside the program. All other functions are calls of the provider.
    case routes
}

extension Link {
    /// The class with which every host answers questions about services.
    package static let servicesClass = "hslink.Services"

    /// Returns a client of a service, and loads the provider if necessary.
    ///
    ///     let account = try link.service(AccountServiceClient.self)
    ///     let user = try await account.currentUser()
    ///
    /// If there are several providers, the one with the highest version is chosen. The contract that this program was
    /// compiled against is compared with that of the provider.
    ///
    /// - Parameters:
    ///   - type: the client that `@LinkService` generated for the protocol.
    ///   - component: the name of the provider; nil for the best one.
    ///   - access: whether functions with a route are called, or open their URL. The URL alone then decides which class
    ///     answers: with several providers of the service it may be another one.
    /// - Throws: `LinkError` that names the service and its possible providers, with the reason why it is unavailable
    ///   or does not fit.
    public func service<Client: ServiceClient>(
        _ type: Client.Type = Client.self, from component: String? = nil, through access: ServiceAccess = .calls
    ) throws(LinkError) -> Client {
        let provider = try findProvider(of: Client.__service, component)
        return Client(__endpoint: try __ServiceEndpoint(Client.__service, of: provider, self, through: access))
    }

    /// Makes an instance of a service with arguments, and returns its client.
    ///
    /// - Parameters:
    ///   - type: the client that `@LinkService(_:arguments:)` generated for the protocol.
    ///   - arguments: the arguments for the instance.
    ///   - component: the name of the provider; nil for the best one.
    /// - Throws: the errors of ``service(_:from:through:)``, or the provider's own error if it refuses the arguments.
    public func makeService<Client: ConfigurableServiceClient>(
        _ type: Client.Type = Client.self, with arguments: Client.ServiceArguments, from component: String? = nil
    ) throws -> Client {
        let provider = try findProvider(of: Client.__service, component)
        let made: Payload
        do throws(LinkError) {
            made = try callAndWait(provider, serviceMaker, arguments.payload, kind: .class)
        } catch {
            throw error.originalOrSelf
        }
        return Client(__endpoint: __ServiceEndpoint(Client.__service, of: try made.object(), self))
    }

    /// Returns whether a component, or the host, provides the service in the form that this program was compiled
    /// against. Only manifests are read; nothing is loaded.
    public func provides<Client: ServiceClient>(_ type: Client.Type) -> Bool {
        let payload: Payload = ["service": .string(Client.__service.name)]
        let answer = try? callAndWait(Link.servicesClass, "provides", payload, kind: .class)
        return (try? answer?.bool()) ?? false
    }

    /// Returns the names of all components that provide the service in the form that this program was compiled against,
    /// best first: what ``service(_:from:through:)`` takes as `component`. Only manifests are read; nothing is loaded.
    public func providers<Client: ServiceClient>(of type: Client.Type) -> [String] {
        let payload: Payload = ["service": .string(Client.__service.name)]
        let answer = try? callAndWait(Link.servicesClass, "providers", payload, kind: .class)
        return ((try? answer?["components"]?.items()) ?? []).compactMap { try? $0.string() }
    }

    /// Returns the name of the class that provides a service to this component.
    private func findProvider(
        of service: __ServiceDescription, _ component: String?
    ) throws(LinkError) -> String {
        var payload: [(String, Payload)] = [("service", .string(service.name))]
        if let component { payload.append(("component", .string(component))) }
        let answer: Payload
        do {
            answer = try callAndWait(Link.servicesClass, "find", Payload(entries: payload), kind: .class)
        } catch {
            throw error.naming(service)
        }
        do {
            return try answer.string("class")
        } catch {
            throw LinkError(.invalidReply, message: "the host's answer about \(service.name) is invalid: \(error)")
        }
    }
}

extension LinkError {
    /// Returns the host's answer that there is no provider as an error about the service: the program has not called the
    /// class that the host answers with.
    fileprivate func naming(_ service: __ServiceDescription) -> LinkError {
        guard className.isExactly(Link.servicesClass) else { return self }
        return LinkError(
            code, message: message, className: service.protocolName, details: details, cause: cause)
    }
}

/// The selector that makes an instance, in classes whose service is made with arguments.
package let serviceMaker = "makeService"
