import ComponentKit
import PageKit

/// The pages of the console, apart from those of components.
enum ConsolePage: String, CaseIterable, Sendable {
    case overview = "console"
    case routes = "console.routes"
    case events = "console.events"
    case log = "console.log"
    case counters = "console.counters"
    case times = "console.times"

    /// What the page is called where pages are chosen.
    var name: String {
        switch self {
        case .overview: "Components"
        case .routes: "Routes"
        case .events: "Events"
        case .log: "Log"
        case .counters: "Counters"
        case .times: "Timings"
        }
    }

    /// The title of the page.
    var title: String { self == .overview ? "Console" : name }

    /// The page file.
    var file: PageFile {
        let sections: [Payload] =
            switch self {
            case .overview:
                [
                    ConsolePage.section(.summary), ConsolePage.section(.unused), ConsolePage.section(.components),
                    ConsolePage.section(.activity),
                ]
            case .routes:
                [ConsolePage.section(.explain, "Where does a URL lead?"), ConsolePage.section(.routes, "All routes")]
            case .events:
                [
                    ConsolePage.section(.posts, "Recent posts"),
                    ConsolePage.section(.events, "All events"),
                ]
            case .log: [ConsolePage.section(.log)]
            case .counters:
                [
                    ConsolePage.section(.activity), ConsolePage.section(.counters),
                    ConsolePage.section(.histogram, "How long calls take"),
                ]
            case .times: [ConsolePage.section(.times)]
            }
        return ConsolePage.file(rawValue, title: title, sections: sections)
    }

    // MARK: - Components

    /// The id of a component's page; nil if the name cannot be part of one, or another page has the id.
    static func id(of component: String) -> String? {
        let id = "\(overview.rawValue).\(component)"
        let isID =
            (1...128).contains(id.utf8.count)
            && component.utf8.allSatisfy { byte in
                let scalar = Unicode.Scalar(byte)
                return scalar.isASCII
                    && (scalar.properties.isAlphabetic || "0123456789_.-".unicodeScalars.contains(scalar))
            }
        return isID && !component.isEmpty && ConsolePage(rawValue: id) == nil ? id : nil
    }

    /// The page file of a component; nil if it has no page.
    static func file(of component: String) -> PageFile? {
        guard let id = id(of: component) else { return nil }
        let sections = [
            section(.component, about: component), section(.componentParts, "Declares", about: component),
            section(.componentCall, "Call a method", about: component),
            section(.componentCounters, "Calls so far", about: component),
        ]
        return file(id, title: component, sections: sections)
    }

    private static func section(
        _ module: ConsoleModule, _ title: String? = nil, about component: String? = nil
    ) -> Payload {
        var entries: [(String, Payload)] = [("module", .string(module.rawValue))]
        if let title { entries.append(("title", .string(title))) }
        if let component { entries.append(("data", ConsoleSubject(component: component).payload)) }
        return .map(entries)
    }

    private static let lastPosition: Int64 = 1000

    private static func file(_ id: String, title: String, sections: [Payload]) -> PageFile {
        // The navigation of the application leads to the overview, after its own pages.
        let place: (String, Payload) =
            id == overview.rawValue ? ("position", .int(lastPosition)) : ("parent", .string(overview.rawValue))
        let page = Payload.map([
            ("page", .string(id)), ("title", .string(title)), place,
            ("delegate", .string(ConsoleModule.frame.rawValue)), ("sections", .array(sections)),
        ])
        // Texts and maps always have a form in JSON.
        return PageFile(name: "\(id).json", text: (try? page.json(pretty: true)) ?? "{}")
    }
}

/// The pages that the console brings along: its own, and one for each component.
@LinkClass(provides: (any PageSource).self)
final class ConsolePages: PageSource {
    private let host: HostReader

    /// As many pages as a component may bring along.
    private static let mostComponents = 500 - ConsolePage.allCases.count

    init(_ context: ComponentContext) throws {
        let console = try context.console
        host = console.host
        // Before the first look, so that there is something to see then.
        console.activity.start()
    }

    /// They are read again when components come or go.
    func pages() throws -> [PageFile] {
        let components = try host.componentNames().compactMap { ConsolePage.file(of: $0) }
        return ConsolePage.allCases.map(\.file) + components.prefix(ConsolePages.mostComponents)
    }
}
