import ComponentKit
import PageKit
import WeatherContract

/// What a page says to the module `weather.forecast`.
@Model
struct ForecastPlace: Sendable {
    /// The name of the city.
    var city: String
    /// How many days, up to 7.
    var days: Int = 3
}

/// What pages show of the weather.
@LinkClass
final class WeatherPages {
    private let events: Events
    private let weather: WeatherLink
    private let cities = Cities()

    init(_ context: ComponentContext) {
        events = context.events
        weather = WeatherLink(context)
    }

    /// The forecast for a city that the page chooses.
    @PageModule("weather.forecast")
    func forecast(_ context: PageContext, data: ForecastPlace) async throws -> some View {
        let days = try await weather.forecast(city: data.city, days: data.days)
        return Card(data.city) {
            Chart(
                .bar, title: "Highs in °C", labels: days.indices.map { "day \($0 + 1)" },
                [ChartSeries(name: "high", values: days.map(\.high))])
        }
    }

    /// The cities that people have added, each of which leads to its page and can be removed.
    @PageModule("weather.cities")
    func cities(_ context: PageContext) async -> some View {
        let names = await cities.names
        let part = context.part(of: names.count, size: 50)
        return List(names.prefix(part.count), empty: "No cities yet.") { name in
            Row(name).key(name)
                .action(.show(page: "city", ["city": name.payload]))
                .side(
                    .call(
                        "remove", ["name": name.payload], title: "Remove", confirm: "Remove \(name)?",
                        role: .destructive))
        }
        .side(part.more)
    }

    /// A form for another one.
    @PageModule("weather.newCity")
    func newCity(_ context: PageContext) -> some View {
        Form("Add", .call("add")) { Field("name", "City", .text(longest: 40)).required() }
    }

    /// Adds a city.
    @Selector func add(name: String) async {
        await cities.add(name)
        change()
    }

    /// Removes a city.
    @Selector func remove(name: String) async {
        await cities.remove(name)
        change()
    }

    /// Tells the pages that show these modules.
    private func change() {
        for module in ["weather.cities", "weather.hasCities"] { events.post(PageModuleChanged(module)) }
    }

    /// Leads from a link to the page of a city.
    @Route("weather://city")
    func open(name: String) -> ActionOutcome {
        ActionOutcome(page: PageAddress(name: "city", values: ["city": name.payload]).id)
    }

    /// Whether there are any cities.
    @PageModule("weather.hasCities")
    func hasCities(_ context: PageContext) async -> Bool { await !cities.names.isEmpty }
}

/// What a page shows of the choices that each session has made.
@LinkClass
final class WeatherChoices {
    private let events: Events
    private let units = Units()

    init(_ context: ComponentContext) { events = context.events }

    /// The unit of temperatures, which is chosen without a button where scripts run.
    @PageModule("weather.unit")
    func unit(_ context: PageContext) async -> some View {
        let units = ["°C", "°F"].map { FieldChoice(value: $0, title: $0) }
        let chosen = await self.units.chosen[Session.current] ?? "°C"
        return Form("Choose", .call("choose")) { Field("unit", "Unit", .choice(units), value: chosen.payload) }
            .submittedOnChange()
    }

    /// Chooses a unit in the session of the caller.
    @Selector func choose(unit: String) async {
        await units.choose(unit, in: .current)
        events.post(PageModuleChanged("weather.unit", sessionOnly: true))
    }

    /// What a session has chosen goes on with it when it receives a new id.
    @On(.concurrent) func sessionRenewed(_ event: SessionRenewed) async {
        guard let former = Session.current, let next = Session.successor else { return }
        await units.move(from: former, to: next)
    }
}

/// The units that people have chosen, until the host ends.
private actor Units {
    /// By sessions; nil is that of calls without one.
    private(set) var chosen: [Session?: String] = [:]

    func choose(_ unit: String, in session: Session?) { chosen[session] = unit }
    func move(from former: Session, to next: Session) { chosen[next] = chosen.removeValue(forKey: former) }
}

/// The cities that people have added, until the host ends.
private actor Cities {
    private(set) var names: [String] = []

    func add(_ name: String) { if !names.contains(name) { names.append(name) } }
    func remove(_ name: String) { names.removeAll { $0 == name } }
}
