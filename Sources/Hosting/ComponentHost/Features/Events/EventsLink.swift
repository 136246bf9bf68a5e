import CHSLink
import ComponentKit
import ManifestRules
import SystemSupport

/// The host's own class `hslink.Events`, with which components in any language post events.
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
final class EventsLink: LinkClass {
    static let provided = ProvidedClass(EventsLink.self, name: Events.className)

    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<EventsLink>] = [
        .classMethod("post", quick: true) { payload, call -> Payload in
            try HostCore.of(call.context).post(request(try payload.copy()))
            return .null
        },
        .asyncClassMethod("deliver") { payload, call -> Payload in
            let core = try HostCore.of(call.context)
            let request = try request(payload)
            return await awaitResume { resume in core.deliver(request) { resume($0) } }.payload
        },
        .classMethod("last", quick: true) { payload, call -> Payload in
            let core = try HostCore.of(call.context)
            let payload = try payload.copy()
            try payload.refuseKeys(besides: ["event"])
            return core.events.last(try payload.string("event")).map { ["value": $0] } ?? .null
        },
        .classMethod("events") { payload, call -> Payload in
            ["events": .array(try HostCore.of(call.context).eventInfos().map(\.payload))]
        },
    ]

    private static func request(_ payload: Payload) throws -> HostCore.EventRequest {
        try payload.refuseKeys(besides: ["event", "value", "sticky", __EventDelivery.key])
        let name = try payload.string("event")
        try HostEvents.check(name)
        guard !EventRules.isReserved(name) else {
            throw LinkError(
                .payloadMismatch, message: "only hosts post events that begin with \"\(EventRules.reservedPrefix)\"")
        }
        return HostCore.EventRequest(
            event: name, payload: payload["value"] ?? .null, isSticky: try payload.boolIfPresent("sticky") ?? false,
            during: try payload.intIfPresent(__EventDelivery.key) ?? HostCore.deliveryOnThread)
    }
}
