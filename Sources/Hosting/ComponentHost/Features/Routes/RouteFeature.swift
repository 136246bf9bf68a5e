import ComponentKit

/// The routes of a host, and how URLs are opened.
final class RouteFeature: HostFeature {
    static var place: Int { 0 }
    static let classes = [RoutesLink.provided]

    let registry: RouteRegistry
    let options: RouteOptions

    init(_ options: RouteOptions) {
        self.options = options
        registry = RouteRegistry(options.matching)
    }

    func scanned(_ units: [ComponentUnit]) { registry.replace(units) }

    func stopped(_ report: StopReport, in core: HostCore) { registry.end() }
}
