import CHSLink
import ComponentKit

/// The host's own class `hslink.Services`, which components in any language call to find who provides a service.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `find` | `{"service": "com.example.account/1", "component": "EMAccount"}` (`component` where no other will do) | `{"class", "component", "version"}` |
/// | `provides` | `{"service": "com.example.account/1"}` | whether `find` would find one |
///
/// Neither loads anything. Both compare what the caller was compiled against with what the provider has;
/// `find` fails with both sides where that does not fit.
final class ServicesLink: LinkClass {
    /// The name under which callers find it.
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
    ]

    /// The host that is asked: the component value of the host's own classes holds its functions, as that of any
    /// component does.
    private static func registry(of call: borrowing CallContext) throws(LinkError) -> ComponentRegistry {
        guard let functions = unsafe call.context?.hostFunctions else {
            throw LinkError(.stopped, message: "the host is not there any more")
        }
        return unsafe HostTable.of(functions).core.registry
    }
}
