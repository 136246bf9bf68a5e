// Two underscores keep a name out of completion and documentation.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension LinkMethod where Target: LinkClass {
    /// Returns the row for a class whose service is made with arguments. The method creates an instance and returns it
    /// as an object.
    ///
    /// - Parameter make: creates the instance from the component's context and the arguments. An error that it throws
    ///   becomes the call's error.
    public static func __makerMethod(
        _ make: @escaping @Sendable (ComponentContext, borrowing PayloadView) throws -> Target
    ) -> LinkMethod {
        .classMethod(serviceMaker) { payload, call -> Payload in
            let context = try call.context.required
            return context.link.object(try make(context, payload))
        }
    }
}

extension LinkClass {
    /// Makes the instance that answers one call of a class method.
    ///
    /// - Parameter context: the context of the call; nil if the host did not pass one.
    /// - Throws: what `init(_:)` throws.
    public static func __instance(for context: ComponentContext?) throws -> Self { try Self(context.required) }
}

extension ComponentContext? {
    fileprivate var required: ComponentContext {
        get throws(LinkError) {
            guard let self else {
                throw LinkError(.methodFailed, message: "the host did not pass a component with the call")
            }
            return self
        }
    }
}

extension Array {
    /// Adds the rows of a service, except for those that the class defines itself.
    public mutating func __add<Target>(_ rows: [LinkMethod<Target>]) where Element == LinkMethod<Target> {
        let own = map { ($0.name, $0.kind) }
        append(contentsOf: rows.filter { row in !own.contains { $0 == (row.name, row.kind) } })
    }
}
