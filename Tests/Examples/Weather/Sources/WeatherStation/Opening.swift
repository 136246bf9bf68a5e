import ComponentHost
import ComponentKit
import WeatherContract

/// Opens URLs.
func openStations(_ host: LinkHost) async throws {
    let readings = try await host.open("weather://station/7?scale=fahrenheit&sensors=air&sensors=roof")
    print(readings)

    // Beside the URL, by the names of parameters.
    print(try await host.open("weather://station/7", ["sensors": ["roof"]], timeout: .seconds(2)))

    // By contract: the compiler checks the arguments and the result.
    let route = AlarmServiceRoutes.watch(city: "São Paulo", above: 10) { day in print(day.high) }
    print(route.url)  // weather://alarm/S%C3%A3o%20Paulo?above=10.0
    let days = try await host.open(route)
    print(days + 1)

    // A client that opens the routes of its contract, so that interceptors apply.
    let alarms = try host.service(AlarmServiceClient.self, through: .routes)
    print(try await alarms.watch(city: "Oslo", above: 10) { day in print(day.high) } == days)

    // Neither loads a component.
    print(host.canOpen("weather://station/7"))
    print(host.route(for: "weather://station/7")?.className ?? "no route")
}

/// Opens a URL that a browser has passed to the program.
func openLink(_ url: String, _ directories: [String]) async throws -> Payload {
    var options = HostOptions()
    options.routes.remoteSources = ["browser"]
    let host = LinkHost(components: directories, options: options)
    return try await host.open(url, from: .remote("browser"))
}

/// Adds routes that exist while the program wants them.
func openHelp(_ host: LinkHost, isOpen: Bool) async throws {
    let help = try host.routes.add("weather://help/:page") { request in
        "help about \(try request.parameters.string("page"))"
    }
    let door = host.routes.intercept(priority: 10) { request in isOpen ? .pass : .refuse(reason: "closed") }
    try host.routes.setRedirects(["weather://sensor/:id": "weather://station/:id"])
    host.routes.setUnhandled { request in "nothing at \(request.url)" }
    print(try await host.open("weather://help/wind"))
    await help.remove()
    await door.remove()
}

/// Lets URLs name targets and actions.
func openActions(_ host: LinkHost) async throws {
    let actions = try host.routes.addTargetActions(scheme: "app")
    print(try await host.open("app://Station/newest"))  // as perform(target: "Station", action: "newest") does
    await actions.remove()
}
