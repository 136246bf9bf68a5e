import ComponentHost
import ComponentKit

extension ComponentListing {
    /// One object, as the help of `hslink list` describes it.
    func json() throws(PayloadError) -> String {
        var listing = JSONObject()
        listing.set("components", try components.map(component))
        listing.set("services", try services.map(service))
        listing.set("rejectedDirectories", try catalog.rejectedDirectories.map(rejection))
        if showsAll {
            listing.set("rejectedFiles", try catalog.rejectedFiles.map(rejection))
            listing.set("conflicts", try catalog.conflicts.map(conflict))
        }
        return listing.text
    }

    private func component(_ component: ComponentInfo) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("name", component.name)
        try object.set("version", "\(component.manifest.version)")
        try object.set("layer", component.manifest.layer)
        try object.set("state", "\(component.state)")
        try object.set("file", component.path)
        try object.set("reason", component.reason.isEmpty ? nil : component.reason)
        if case .failed(let error) = component.state { try object.set("code", "\(error.code)") }
        return object
    }

    private func service(_ provider: ServiceProvider) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("service", provider.service)
        try object.set("component", provider.component)
        try object.set("class", provider.className)
        try object.set("version", provider.version?.description)
        try object.set("isChosen", Payload(provider.isChosen))
        try object.set("state", "\(provider.state)")
        try object.set("reason", provider.reason.isEmpty ? nil : provider.reason)
        return object
    }

    private func rejection(_ rejection: Catalog.Rejection) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("path", rejection.path)
        try object.set("code", "\(rejection.code)")
        try object.set("reason", rejection.reason)
        return object
    }

    private func conflict(_ conflict: Catalog.ClassConflict) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("class", conflict.className)
        try object.set("winner", conflict.winner)
        try object.set("loser", conflict.loser)
        return object
    }
}
