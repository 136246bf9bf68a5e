import ComponentKit
import HostContract

/// A class that asks the host about itself.
@LinkClass
final class HostAskingLink {
    private let context: ComponentContext

    init(_ context: ComponentContext) { self.context = context }

    @Selector func isOffered() -> Bool { context.link.provides(HostServiceClient.self) }

    /// Returns the components that cannot be used, with what would recover them.
    @Selector func failed() async throws -> [String] {
        let host = try context.link.service(HostServiceClient.self)
        return try await host.contents().components.filter { $0.state == "failed" }
            .map { "\($0.name): \($0.recovery ?? $0.reason)" }
    }

    @Selector func load(component: String) async throws {
        try await context.link.service(HostServiceClient.self).load(component: component)
    }
}
