import ComponentHost
import ComponentKit
import Instrumentation

/// Makes a call that carries a text, which the calls of its method carry too.
func luggage(_ host: LinkHost, ofTenant tenant: String) async throws -> Payload {
    var context = ServiceContext.current ?? .topLevel
    context.carried["tenant"] = tenant
    return try await ServiceContext.withValue(context) {
        try await host.call("TravelLink", "luggage", ["city": "Rome"])
    }
}
