import ComponentCatalog
import ComponentKit
import Glibc
import HostContract

/// The host's own class `hslink.Host`, which provides the service `org.hslink.host/1`: what the host knows of its
/// components, and what can be done about them. Swift code uses `HostServiceClient` of `HostContract`, where the answers
/// are described.
///
/// | method | payload | answer |
/// |---|---|---|
/// | `contents` | nothing | `{"process", "components", "services", "rejectedFiles", "rejectedDirectories", "conflicts"}` |
/// | `component` | `{"name": "ComponentVideo"}` | `{"component", "manifest", "resources": [{"name", "size", "problem"}]}` |
/// | `health` | nothing | `{"phase", "failures", "isReady"}` |
/// | `times` | nothing | `[{"component", "activity", "count", "total", "longest"}]` in seconds; nothing if they are not recorded |
/// | `log` | `{"after": 12}` (without it, all lines that are kept) | `[{"number", "time", "level", "component", "message"}]` |
/// | `posts` | `{"after": 12}` (without it, all posts that are kept) | `[{"number", "time", "event", "handlers", "isSticky"}]` |
/// | `load` | `{"component": "ComponentVideo"}` | nothing |
/// | `retry` | `{"component": "ComponentVideo"}` | whether its next call tries again |
/// | `rescan` | nothing | the changes, a sentence each |
///
/// Keys that are nil are null or missing. Methods read files or load components, so they run on threads of the host.
final class HostServiceLink: LinkClass {
    static let className = "hslink.Host"
    static let provided = ProvidedClass(HostServiceLink.self, name: className)
    static let services = [HostServiceClient.__service.name]

    init(_ context: ComponentContext) {}

    // Not with @LinkClass: its notes would be those of every program with a host, and if only one component is linked
    // in, the class would count as its own.
    static let methods: [LinkMethod<HostServiceLink>] = [
        .method("contents") { _, _, call -> HostContents in
            let core = try HostCore.of(call.context)
            return core.feature(HostServiceFeature.self).contents(of: core, process: Int(getpid()))
        },
        .method("component") { _, payload, call -> ComponentDetails in
            let core = try HostCore.of(call.context)
            return try core.feature(HostServiceFeature.self).details(of: payload.string("name"), in: core)
        },
        .method("health") { _, _, call -> HostHealth in
            let core = try HostCore.of(call.context)
            return core.feature(HostServiceFeature.self).health(of: core)
        },
        .method("times") { _, _, call in try sources(of: call).times()?.map(ActivityTime.init) },
        .method("log") { _, payload, call in try sources(of: call).logLines(payload.intIfPresent("after")) },
        .method("posts") { _, payload, call in try sources(of: call).posts(payload.intIfPresent("after")) },
        .method("load") { _, payload, call -> Payload in
            try HostCore.of(call.context).load(payload.string("component"), for: call.caller)
            return .null
        },
        .method("retry") { _, payload, call in
            try HostCore.of(call.context).retry(payload.string("component"))
        },
        .method("rescan") { _, _, call in try HostCore.of(call.context).rescan().map(\.sentence) },
    ]

    private static func sources(of call: borrowing CallContext) throws(LinkError) -> HostServiceFeature.Sources {
        try HostCore.of(call.context).feature(HostServiceFeature.self).sources
    }
}

extension CatalogChange {
    /// The change with the name of its component.
    fileprivate var sentence: String { component.map { "\($0): \(self)" } ?? "\(self)" }
}

extension ActivityTime {
    fileprivate init(_ time: ComponentTime) {
        self.init(
            component: time.component, activity: "\(time.activity)", count: time.count, total: time.total.inSeconds,
            longest: time.longest.inSeconds)
    }
}
