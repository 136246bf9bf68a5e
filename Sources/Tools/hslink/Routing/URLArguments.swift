import ComponentHost
import ComponentKit
import HostControl
import Routing
import SystemSupport

/// A URL and the parameters given with it on the command line.
struct URLArguments {
    private let url: String
    private let arguments: PayloadArguments

    /// - Throws: a ``UsageError`` if an argument is not `key=value`.
    init(_ url: String, _ parameters: [String]) throws(UsageError) {
        self.url = url.withoutSpaceAround
        for parameter in parameters where parameter.hasExactPrefix("=") || !parameter.hasASCII("=") {
            throw UsageError("expected key=value after the URL, found \(parameter.quoted())")
        }
        // With a second pair, the first is never taken for JSON.
        arguments = try PayloadArguments(parameters)
        switch arguments {
        case .map, .value(.null): break
        case .value, .file: throw UsageError("expected key=value after the URL")
        }
    }

    /// Rejects keys that the selector of the URL's route does not declare. Items that the URL itself has are not checked:
    /// links often have some that are for others.
    ///
    /// - Parameters:
    ///   - route: the route that the URL leads to; nil for none.
    ///   - catalog: the components with the class of the route. Keys of a class that it lacks are not checked.
    func refuseKeys(of route: OpenedRoute?, in catalog: Catalog) throws(UsageError) {
        guard let route else { return }
        if let key = arguments.keys.first(where: route.placeholders.containsExactly) {
            throw UsageError("\(key.quoted()) is a part of the URL: write its value there")
        }
        let declaration = catalog.entry(ofClass: route.className)?.manifest.classDeclaration(route.className)
        try declaration?.selector(route.selector, route.kind)?.refuse(arguments.keys, of: route.className)
    }

    /// Returns the call that opens the URL, after reading values from elsewhere.
    ///
    /// - Throws: a ``UsageError`` if one cannot be read.
    func call(remote: String?, limit: CallLimit) throws(UsageError) -> DeclaredCall {
        var items: [String] = []
        var beside: [(String, Payload)] = []
        if case .map(let entries) = arguments {
            for (key, value) in entries {
                if case .written(let text) = value, !PayloadArguments.isMeantAsJSON(text) {
                    items.append("\(key.percentEncodedForURL)=\(text.percentEncodedForURL)")
                } else {
                    beside.append((key, try value.payload(of: key, type: nil)))
                }
            }
        }
        var payload: [(String, Payload)] = [("url", .string(URLArguments.url(url, adding: items)))]
        if !beside.isEmpty { payload.append(("payload", .map(beside))) }
        if let remote { payload.append(("source", .string(remote))) }
        return DeclaredCall(
            className: Link.routesClass, selector: "open", arguments: .value(.map(payload)), kind: .class,
            limit: limit)
    }

    /// Returns the call that asks which route the URL leads to; see ``OpenedRoute``.
    func question(remote: String?, timeout: Duration?) -> CallDescription {
        var payload: [(String, Payload)] = [("url", .string(url))]
        if let remote { payload.append(("source", .string(remote))) }
        return CallDescription(Link.routesClass, "route", .map(payload), kind: .class, timeout: timeout)
    }

    /// Adds items to the query of a URL, before its fragment.
    static func url(_ url: String, adding items: [String]) -> String {
        guard !items.isEmpty else { return url }
        // In bytes: a character may consist of a separator and what combines with it.
        let bytes = Array(url.utf8)
        let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let front = bytes[..<fragment]
        let question = UInt8(ascii: "?")
        let isOpen = front.last == question || front.last == UInt8(ascii: "&")
        let sign = !front.contains(question) ? "?" : isOpen ? "" : "&"
        return String(decoding: front, as: UTF8.self) + sign + items.joined(separator: "&")
            + String(decoding: bytes[fragment...], as: UTF8.self)
    }
}

/// What a URL calls.
struct OpenedRoute {
    let className: String
    let selector: String
    let kind: SelectorKind
    /// The names of the placeholders, whose values are in the URL.
    let placeholders: [String]

    /// Reads a host's answer; nil if no route matches, or if it does not lead to a selector that a manifest declares.
    init?(_ answer: Payload) {
        guard let className = try? answer.string("class"), let selector = try? answer.string("selector") else {
            return nil
        }
        self.className = className
        self.selector = selector
        let pattern = (try? answer.string("pattern")).flatMap { try? RoutePattern($0) }
        // A URL may lack the parts in parentheses.
        placeholders = pattern?.placeholders.filter { !$0.isOptional }.map(\.name) ?? []
        kind = (try? answer.string("kind")).flatMap { SelectorKind(rawValue: $0) } ?? .object
    }
}
