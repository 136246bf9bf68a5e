import ComponentKit
import HostContract

extension ComponentListing {
    /// Returns the listing as one JSON object, described in the help of `hslink list`.
    func json() throws(PayloadError) -> String {
        var listing = JSONObject()
        listing.set("components", try content.components.map(component))
        listing.set("services", try content.services.map(service))
        listing.set("rejectedDirectories", try content.rejectedDirectories.map(rejection))
        if showsAll {
            listing.set("rejectedFiles", try content.rejectedFiles.map(rejection))
            listing.set("conflicts", try content.conflicts.map(conflict))
        }
        if let process = content.process { try listing.set("process", Payload(process)) }
        return listing.text
    }

    private func component(_ component: ComponentRow) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("name", component.name)
        try object.set("version", component.version)
        try object.set("layer", component.layer)
        try object.set("state", component.state)
        try object.set("file", component.file)
        try object.set("reason", component.reason.isEmpty ? nil : component.reason)
        if let code = component.code { try object.set("code", code) }
        if !component.refusedRoutes.isEmpty {
            object.set("refusedRoutes", try component.refusedRoutes.map(refusedRoute))
        }
        if content.process != nil {
            try object.set("callsInFlight", Payload(component.callsInFlight))
            try object.set("stuckCalls", Payload(component.stuckCalls))
            try object.set("openWork", Payload(component.openWork))
            try object.set("restartVersion", component.restartVersion)
            try object.set("isFileGone", Payload(component.isFileGone))
        }
        return object
    }

    private func refusedRoute(_ route: RefusedRouteRow) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("pattern", route.pattern)
        try object.set("class", route.className)
        try object.set("selector", route.selector)
        try object.set("reason", route.reason)
        return object
    }

    private func service(_ provider: ServiceRow) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("service", provider.service)
        try object.set("component", provider.component)
        try object.set("class", provider.className)
        try object.set("version", provider.version)
        try object.set("isChosen", Payload(provider.isChosen))
        try object.set("state", provider.state)
        try object.set("reason", provider.reason.isEmpty ? nil : provider.reason)
        return object
    }

    private func rejection(_ rejection: RejectionRow) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("path", rejection.path)
        try object.set("code", rejection.code)
        try object.set("reason", rejection.reason)
        return object
    }

    private func conflict(_ conflict: ConflictRow) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("class", conflict.className)
        try object.set("winner", conflict.winner)
        try object.set("loser", conflict.loser)
        return object
    }
}
