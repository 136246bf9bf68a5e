import ComponentKit
import PageKit

/// The office that looks after the weather stations.
@Component(version: "1.0.0", posts: [SessionRenewed.self])
struct Office {}

/// Which station a page is about: the values of the page `station`.
@Model
struct StationPlace: Sendable {
    /// The number of the station.
    var number: Int
}

/// What a sensor has measured last.
struct Reading: Sendable {
    let sensor: String
    let celsius: Double
    let readAt: Timestamp
    let isLate: Bool
}

/// What pages show of the stations.
@LinkClass
final class OfficePages {
    private static let stations: [Int: [Reading]] = [
        7: [
            Reading(sensor: "air-1", celsius: 20.5, readAt: Timestamp(seconds: 1_768_046_400), isLate: false),
            Reading(sensor: "ground-1", celsius: 12, readAt: Timestamp(seconds: 1_767_960_000), isLate: true),
        ],
        9: [],
    ]

    /// The sensors of the station that the page is about.
    @PageModule("office.sensors")
    func sensors(_ context: PageContext, data: StationPlace) throws -> some View {
        guard let readings = OfficePages.stations[data.number] else {
            throw PageError.unknownPage(id: context.page, similar: nil)
        }
        return Table(["Sensor", "State", TableColumn("°C", alignment: .trailing), "Read at"]) {
            for reading in readings {
                TableRow([
                    .code(reading.sensor), reading.isLate ? .badge("late", .warning) : .badge("working", .success),
                    "\(reading.celsius)", .time(reading.readAt),
                ])
                .key(reading.sensor)
            }
        }
    }

    /// All stations, of which the one that the page is about is marked.
    @PageModule("office.stations")
    func stations(_ context: PageContext, data: StationPlace) -> some View {
        List(OfficePages.stations.keys.sorted()) { number in
            Row("Station \(number)").current(number == data.number).key(number)
                .action(.show(page: "station", ["number": number.payload]))
        }
    }
}
