import BenchContract
import ComponentHost
import ComponentKit

/// The rows for awaited calls: by the kind of caller and of method.
struct AwaitRows {
    let host: LinkHost

    func rows() throws -> [AwaitedRow] {
        let service = try host.service(BenchServiceClient.self)
        let goal = Goal.nanoseconds(300)
        return [
            AwaitedRow("await-main", "await of a quick method, main actor", count: 200_000, goal: goal) { count in
                try await onMain(count)
            },
            AwaitedRow("await-actor", "await of a quick method, an actor of its own", count: 200_000, goal: goal) {
                count in
                try await Caller(host: host).run(count)
            },
            AwaitedRow("await-pool", "await of a quick method, the pool", count: 200_000, goal: goal) { count in
                try await onPool(count)
            },
            AwaitedRow(
                "await-typed", "typed call, async provider, no suspension", count: 200_000, goal: .nanoseconds(1000)
            ) { count in
                try await AwaitRows.soon(service, count)
            },
            AwaitedRow("await-later", "typed call, async provider, suspends once", count: 50_000) { count in
                try await AwaitRows.later(service, count)
            },
        ]
    }

    @MainActor private func onMain(_ count: Int) async throws {
        for _ in 0..<count { _ = try await host.call("BenchLink", "mixed", CallRows.payload) }
    }

    @concurrent private func onPool(_ count: Int) async throws {
        for _ in 0..<count { _ = try await host.call("BenchLink", "mixed", CallRows.payload) }
    }

    @concurrent private static func soon(_ service: BenchServiceClient, _ count: Int) async throws {
        for _ in 0..<count { _ = try await service.areaSoon(width: 3, height: 4) }
    }

    @concurrent private static func later(_ service: BenchServiceClient, _ count: Int) async throws {
        for _ in 0..<count { _ = try await service.areaLater(width: 3, height: 4) }
    }

    private actor Caller {
        let host: LinkHost

        init(host: LinkHost) { self.host = host }

        func run(_ count: Int) async throws {
            for _ in 0..<count { _ = try await host.call("BenchLink", "mixed", CallRows.payload) }
        }
    }
}
