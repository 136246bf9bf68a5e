import CHSLink
import ComponentKit
import HostContract
import ManifestRules
import SystemSupport

/// The host's own class `hslink.Events`, with which components in any language post events. Swift code uses `Events` of
/// ComponentKit, and `HostEventsServiceClient` of `HostContract` to list them.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `post` | `{"event": "com.example.account/signedIn", "value": {…}, "sticky": true}` | nothing |
/// | `deliver` | the same | `{"handled": 2, "failures": […], "notLoaded": […], "refusal": …}` |
/// | `last` | `{"event": …}` | `{"value": …}` with the last sticky event; nothing if there is none |
/// | `events` | nothing | `{"events": [{"name", "posters", "handlers", "problems"}]}` |
///
/// A handler passes the `hslink.delivery` of its payload on when it posts an event, so that this one is delivered after
/// the one that it handles.
final class EventsLink: LinkClass, HostEventsService {
    static let provided = ProvidedClass(EventsLink.self, name: Events.className)

    static let services = [HostEventsServiceClient.__service.name]

    static let methods: [LinkMethod<EventsLink>] = {
        var methods = posting
        methods.__add(HostEventsServiceTable<EventsLink>.methods)
        return methods
    }()

    private let host: HostEvents

    init(_ context: ComponentContext) throws { host = try HostEvents.of(context) }

    func events() -> DeclaredEvents { DeclaredEvents(events: host.all.map(EventRow.init)) }

    func last(event: String) -> StickyEvent? { host.last(event).map(StickyEvent.init(value:)) }

    /// By hand: ComponentKit calls these, which cannot use the contract.
    private static let posting: [LinkMethod<EventsLink>] = [
        .classMethod("post", quick: true) { payload, call -> Payload in
            let core = try HostCore.of(call.context)
            let request = try request(payload.copy())
            try core.with(EventFeature.self) { try $0.post(request, in: core) }
            return .null
        },
        .asyncClassMethod("deliver") { payload, call -> Payload in
            let host = try HostEvents.of(call.context)
            let request = try request(payload)
            return await awaitResume { resume in host.feature.deliver(request, in: host.core) { resume($0) } }.payload
        },
    ]

    private static func request(_ payload: Payload) throws -> EventRequest {
        try payload.refuseKeys(besides: ["event", "value", "sticky", __CurrentDelivery.key])
        let name = try payload.string("event")
        try HostEvents.check(name)
        guard !EventRules.isReserved(name) else {
            throw LinkError(
                .payloadMismatch, message: "only hosts post events that begin with \"\(EventRules.reservedPrefix)\"")
        }
        return EventRequest(
            event: name, payload: payload["value"] ?? .null, isSticky: try payload.boolIfPresent("sticky") ?? false,
            during: try payload.intIfPresent(__CurrentDelivery.key) ?? EventFeature.deliveryOnThread)
    }
}

extension EventRow {
    fileprivate init(_ info: EventInfo) {
        let handlers = info.handlers.map { handler in
            EventHandlerRow(
                component: handler.component, class: handler.className, selector: handler.selector,
                loads: handler.loads, concurrent: handler.isConcurrent, priority: handler.priority)
        }
        self.init(name: info.name, posters: info.posters, handlers: handlers, problems: info.problems)
    }
}
