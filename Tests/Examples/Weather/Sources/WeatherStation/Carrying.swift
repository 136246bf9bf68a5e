import ComponentHost
import ComponentKit
import Instrumentation

/// A call with a text that goes along, also with the calls that its method makes.
func luggage(_ host: LinkHost, ofTenant tenant: String) async throws -> Payload {
    var context = ServiceContext.current ?? .topLevel
    context.carried["tenant"] = tenant
    return try await ServiceContext.withValue(context) {
        try await host.call("TravelLink", "luggage", ["city": "Rome"])
    }
}
