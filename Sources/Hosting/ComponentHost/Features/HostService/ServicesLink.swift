import CHSLink
import ComponentKit

/// The host's own class `hslink.Services`, which components in any language call to find the provider of a service.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `find` | `{"service": "com.example.account/1", "component": "EMAccount"}` (`component` excludes all others) | `{"class", "component", "version"}` |
/// | `provides` | `{"service": "com.example.account/1"}` | whether `find` would find a provider |
/// | `providers` | `{"service": "com.example.account/1"}` | `{"components": […]}`: those that `find` would find, best first |
///
/// No method loads a component. All compare the contract that the caller was compiled against with the
/// provider's. If these are incompatible, `find` fails with an error that shows both.
final class ServicesLink: LinkClass {
    /// The name by which callers find the class.
    static let className = "hslink.Services"

    static let provided = ProvidedClass(ServicesLink.self, name: className)

    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<ServicesLink>] = [
        .classMethod("find", quick: true) { payload, call -> Payload in
            let found = try registry(of: call).findService(
                payload.string("service"), in: payload.stringIfPresent("component"), for: call.caller)
            return [
                "class": .string(found.className), "component": .string(found.component),
                "version": .string("\(found.version)"),
            ]
        },
        .classMethod("provides", quick: true) { payload, call -> Payload in
            .bool(try registry(of: call).provides(payload.string("service"), for: call.caller))
        },
        .classMethod("providers", quick: true) { payload, call -> Payload in
            let names = try registry(of: call).usableProviders(of: payload.string("service"), for: call.caller)
            return ["components": names.payload]
        },
    ]

    private static func registry(of call: borrowing CallContext) throws(LinkError) -> ComponentRegistry {
        try HostCore.of(call.context).registry
    }
}
