import ComponentHost
import ComponentKit
import HostContract
import Routing
import SystemSupport

/// A table of routes in a JSON file, for `hslink routes --table`.
struct RouteTableFile {
    private let table: RouteTable<Void>

    private static let sets: [String: RoutingOptions] = [
        "default": RoutingOptions(), "mgjRouter": .mgjRouter, "jlRoutes": .jlRoutes, "urlNavigator": .urlNavigator,
        "hhRouter": .hhRouter, "crossroad": .crossroad, "ctMediator": .ctMediator,
    ]

    /// - Throws: a ``RouteTableError`` that names the file and what is wrong in it.
    init(path: String) throws(RouteTableError) {
        do throws(any Error) {
            let file = try Payload(json: try InputFile.read(path, limit: PayloadLimits.standard.bytes))
            try file.refuseKeys(besides: ["routes", "options"])
            let name = try file.stringIfPresent("options") ?? "default"
            guard let options = Self.sets[name] else {
                let known = Self.sets.keys.sorted().joined(separator: ", ")
                throw PayloadError(path: ["options"], expected: "one of \(known)", found: name.quoted())
            }
            var table = RouteTable<Void>(options: options)
            guard let routes = try file["routes"]?.items() else {
                throw RouteTableError(message: "expected an object with the key \"routes\"")
            }
            for (index, route) in routes.enumerated() {
                do throws(any Error) {
                    if route.kind == .map { try route.refuseKeys(besides: ["pattern", "priority"]) }
                    let text = try route.kind == .string ? route.string() : route.string("pattern")
                    let priority = route.kind == .map ? try route.intIfPresent("priority") ?? 0 : 0
                    try table.add(RoutePattern(text, syntax: options.syntax), priority: priority, ())
                } catch {
                    throw RouteTableError(message: "routes[\(index)]: \(error)")
                }
            }
            self.table = table
        } catch let error as InputError {
            throw RouteTableError(message: "\(path): \(error.message)")
        } catch let error as RouteTableError {
            throw RouteTableError(message: "\(path): \(error.message)")
        } catch {
            throw RouteTableError(message: "\(path): \(error)")
        }
    }

    /// The routes in the form of a host's answer.
    var listing: Payload { RouteList(routes: table.routes.map(\.row), refused: []).payload }

    /// Explains a URL in the form of a host's answer.
    func explanation(of url: String) -> Payload { table.explanation(of: url) { $0.row.payload } }
}

extension RouteTable<Void>.Route {
    fileprivate var row: RouteRow { RouteRow(pattern: pattern.text, priority: priority) }
}

/// The reason why a file is not a table of routes.
struct RouteTableError: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
}
