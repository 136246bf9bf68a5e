extension Link {
    /// The class that every host answers to: which services there are.
    package static let servicesClass = "hslink.Services"

    /// A client of a service; loads its provider where that has not happened.
    ///
    ///     let account = try link.service(AccountServiceClient.self)
    ///     let user = try await account.currentUser()
    ///
    /// Of several providers the one with the highest version is chosen. What this program was compiled against is
    /// compared with what the provider has.
    ///
    /// - Parameters:
    ///   - type: the client that `@LinkService` wrote for the protocol.
    ///   - component: the name of the provider; nil for the best one.
    /// - Throws: a ``LinkError`` that says which service, who could provide it, and why it is not there or does not
    ///   fit.
    public func service<Client: ServiceClient>(
        _ type: Client.Type = Client.self, from component: String? = nil
    ) throws(LinkError) -> Client {
        let provider = try findProvider(of: Client.__service, component)
        return Client(__endpoint: try __ServiceEndpoint(Client.__service, of: provider, self))
    }

    /// A client of an instance of its own, made with arguments.
    ///
    /// - Parameters:
    ///   - type: the client that `@LinkService(_:arguments:)` wrote for the protocol.
    ///   - arguments: what the instance is made with.
    ///   - component: the name of the provider; nil for the best one.
    /// - Throws: as ``service(_:from:)``; the provider's own error when it refuses the arguments.
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

    /// Whether some component, or the host, provides the service in the form that this was compiled against. Asks
    /// manifests, loads nothing.
    public func provides<Client: ServiceClient>(_ type: Client.Type) -> Bool {
        let payload: Payload = ["service": .string(Client.__service.name)]
        let answer = try? callAndWait(Link.servicesClass, "provides", payload, kind: .class)
        return (try? answer?.bool()) ?? false
    }

    /// The class that provides a service to this component.
    private func findProvider(
        of service: __ServiceDescription, _ component: String?
    ) throws(LinkError) -> String {
        var payload: [(String, Payload)] = [("service", .string(service.name))]
        if let component { payload.append(("component", .string(component))) }
        let answer = try callAndWait(Link.servicesClass, "find", Payload(entries: payload), kind: .class)
        do {
            return try answer.string("class")
        } catch {
            throw LinkError(.invalidReply, message: "the host's answer about \(service.name): \(error)")
        }
    }
}

/// The selector of classes whose service is made with arguments.
package let serviceMaker = "makeService"
