import HTTPTypes

/// What there is on the server: which paths, and which methods each of them has.
///
/// The table is our own and not Hummingbird's `Router`. That one takes two paths that differ in their slashes as the same,
/// compares the parts as Swift compares texts and before they are decoded, answers 404 and not 405 for a method that a path
/// does not have, and calls each middleware through a closure that it makes for every request. Here, a path is read
/// once, in one way, and the steps before a route stand in order in ``WebResponder``.
enum WebRoute: CaseIterable, Hashable, Sendable {
    case first, console, consolePage, page, events, perform, happened
    case resource, media, icon, look
    case signIn, signOut
    case call, open, metrics, openAPI
    /// Answered before the steps that all others take, by ``HealthAnswers``.
    case alive, ready

    /// The parts of its paths: "*" is any part, "**" one or more.
    private var pattern: [String] {
        switch self {
        case .first: []
        case .console: ["console"]
        case .consolePage: ["console", "*"]
        case .page: ["pages", "*"]
        case .events: ["pages", "*", "events"]
        case .perform: ["pages", "*", "perform"]
        case .happened: ["pages", "*", "happened"]
        case .resource: ["resources", "*", "**"]
        case .media: ["media", "*", "**"]
        case .icon: ["favicon.ico"]
        case .look: [WebPlaces.lookName]
        case .signIn: ["sign-in"]
        case .signOut: ["sign-out"]
        case .call: ["call", "*", "*"]
        case .open: ["open"]
        case .metrics: ["metrics"]
        case .openAPI: ["openapi.json"]
        case .alive: ["healthz"]
        case .ready: ["readyz"]
        }
    }

    /// The methods that it has.
    var methods: [HTTPRequest.Method] {
        switch self {
        // An answer to HEAD has no body, with which the stream would end.
        case .events: WebRoute.stream
        case .perform, .happened, .signOut, .call: WebRoute.writing
        case .signIn: WebRoute.reading + WebRoute.writing
        default: WebRoute.reading
        }
    }

    // Each request compares its method with one of these.
    private static let reading: [HTTPRequest.Method] = [.get, .head]
    private static let writing: [HTTPRequest.Method] = [.post]
    private static let stream: [HTTPRequest.Method] = [.get]

    /// The value of the header Allow.
    var allow: String { methods.map(\.rawValue).joined(separator: ", ") }

    /// Whether it is for programs, and not for browsers.
    var isForPrograms: Bool {
        switch self {
        case .call, .open, .metrics, .openAPI: true
        default: false
        }
    }

    private static let patterns = allCases.map { (route: $0, pattern: $0.pattern) }

    /// - Returns: nil if there is nothing at the path.
    init?(_ path: WebPath) {
        let found = WebRoute.patterns.first { WebRoute.matches($0.pattern, path.parts) }
        guard let found else { return nil }
        self = found.route
    }

    private static func matches(_ pattern: [String], _ parts: [String]) -> Bool {
        let isOpen = pattern.last == "**"
        guard isOpen ? parts.count >= pattern.count : parts.count == pattern.count else { return false }
        return zip(pattern, parts).allSatisfy { expected, part in
            expected.utf8.first == UInt8(ascii: "*") || expected.utf8.elementsEqual(part.utf8)
        }
    }

    /// The methods of the standard. The answer to any other is 501 (RFC 9110, section 15.6.2).
    static let knownMethods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
    ]
}
