import ComponentHost
import ComponentKit
import WeatherContract

/// A host program that finds components in the directories named on its command line.
@main
struct WeatherStation {
    static func main() async throws {
        let host = LinkHost(components: Array(CommandLine.arguments.dropFirst()))
        for component in host.components { print(component.name, component.state, component.reason) }

        // By class and selector, with a dictionary: the caller needs to know nothing else.
        host.call("TravelLink", "luggage", ["city": "Oslo"]) { returnValue, performSuccess, classIsLoad in
            print(returnValue ?? "not performed", performSuccess, classIsLoad)
        }
        let luggage = try await host.call("TravelLink", "luggage", ["city": "Rome"], timeout: .seconds(2))
        print(luggage)

        // Resolved once, for a method that is called often.
        let pack = try host.bind("TravelLink", "luggage")
        print(try await pack.call(["city": "Oslo", "days": 1]))

        // By contract: arguments, results and errors are checked by the compiler.
        let weather = try host.service(WeatherServiceClient.self)
        do {
            print(try await weather.forecast(city: "Atlantis", days: 1))
        } catch let error as WeatherError {
            print(error)
        }

        let report = await host.stop()
        print(report.cancelledCalls, report.stillRunning)
    }
}
