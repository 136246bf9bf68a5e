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

/// Makes a call in the session of a browser, which the browser's cookie names.
func luggage(_ host: LinkHost, ofBrowser cookie: String) async throws -> Payload {
    let session = try Session(id: cookie)
    return try await Session.with(session) { try await host.call("TravelLink", "luggage", ["city": "Rome"]) }
}
