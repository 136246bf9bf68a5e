import ComponentHost
import ComponentKit
import WeatherContract

/// Posts events, and listens to them.
func listen(_ host: LinkHost) async throws {
    host.events.post(StormExpected(city: "Oslo", speed: 30))

    let outcome = await host.events.deliver(StormExpected(city: "Rome", speed: 25))
    print(outcome.handled, outcome.failures.map(\.component), outcome.notLoaded)

    // By type, as a sequence that ends when the host stops.
    let storms = host.events.stream(StormExpected.self, sticky: true)
    let listening = Task {
        for await storm in storms { print(storm.city) }
    }

    // By name, until it is removed.
    let audit = host.events.on("com.example.weather/stormExpected") { payload in print(try payload.string("city")) }
    await audit.remove()
    listening.cancel()
}

/// Starts a host, and tells whether all components that start with it could.
func start(_ directories: [String]) async -> LinkHost {
    let host = LinkHost(components: directories)
    let report = await host.start()
    for failure in report.failures { print(failure.component, failure.error) }
    return host
}
