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
            guard let context = call.context else {
                throw LinkError(.methodFailed, message: "the host did not pass a component with the call")
            }
            return context.link.object(try make(context, payload))
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
