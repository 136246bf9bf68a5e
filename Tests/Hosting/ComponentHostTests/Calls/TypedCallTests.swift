import ComponentHost
import ComponentKit
import FixtureContract
import Foundation
import TestSupport
import Testing

@Suite("Typed calls of services")
struct TypedCallTests {
    private func service(_ host: LinkHost) async throws -> TypedServiceClient {
        try await onThread { try host.service(TypedServiceClient.self) }
    }

    @Test("scalars, models and optionals, blocking and awaited", arguments: Depth.allCases)
    func values(depth: Depth) async throws {
        let host = try depth.host()
        let service = try await service(host)
        #expect(try await onThread { try service.area(width: 3, height: 4.5) } == Rectangle(width: 3, height: 4.5))
        #expect(try await service.area(width: 3, height: 4.5) == Rectangle(width: 3, height: 4.5))
        #expect(try await service.greet("Ada", times: 2) == ["Hello, Ada!", "Hello, Ada!"])
        #expect(try await service.greet(nil, times: 1) == ["Hello, you!"])
        await host.stop()
    }

    @Test("every value makes a round trip unchanged", arguments: Depth.allCases)
    func everything(depth: Depth) async throws {
        let host = try depth.host()
        let service = try await service(host)
        let all = try Everything.sample
        #expect(try await service.echo(all) == all)
        let plain = PlainInfo(title: "t", sizes: [1, 2], parent: ["a": 0.5])
        #expect(try await service.plain(plain) == plain)
        #expect(
            try await service.echo2(shape: all.shape, layer: .high, plain: plain) == [all.shape, .circle(radius: 2)])
        #expect(try await service.echo2(shape: .empty, layer: .low, plain: plain) == [.empty, .empty])
        await host.stop()
    }

    @Test("errors that are models arrive as themselves, others as link errors", arguments: Depth.allCases)
    func errors(depth: Depth) async throws {
        let host = try depth.host()
        let service = try await service(host)
        await #expect(throws: Refusal.tooBig(limit: 7, Rectangle(width: 1, height: 2))) {
            try await service.refuse(limit: 7)
        }
        await #expect(throws: Refusal.notNow) { try await service.refuse(limit: 0) }
        let error = await #expect(throws: LinkError.self) { try await service.fail() }
        #expect(error?.code == .methodFailed)
        #expect(error?.className == "TypedLink")
        #expect(error?.selector == "fail")
        await host.stop()
        let stopped = await #expect(throws: LinkError.self) { try await service.greet(nil, times: 1) }
        #expect(stopped?.code == .stopped)
    }

    @Test("closures are called back", arguments: Depth.allCases)
    func closures(depth: Depth) async throws {
        let host = try depth.host()
        let service = try await service(host)
        let texts = Collected<String>()
        let sum = try await service.each(of: [1, 2, 3]) { number, text in
            texts.add(text)
            return number * 10
        }
        #expect(sum == 60)
        #expect(texts.all == ["number 1", "number 2", "number 3"])
        #expect(try await service.maybe(call: { texts.add("maybe") }))
        #expect(try await !service.maybe(call: nil))
        #expect(texts.all.count == 4)
        await #expect(throws: Refusal.notNow) {
            try await service.each(of: [1]) { _, _ in throw Refusal.notNow }
        }
        await host.stop()
    }

    @Test("streams are pulled; releasing one releases it on the other side", arguments: Depth.allCases)
    func streams(depth: Depth) async throws {
        let host = try depth.host()
        let service = try await service(host)
        var numbers: [Int] = []
        for try await number in try await service.count(to: 3, failing: false) { numbers.append(number) }
        #expect(numbers == [1, 2, 3])
        numbers = []
        await #expect(throws: Refusal.notNow) {
            for try await number in try await service.count(to: 2, failing: true) { numbers.append(number) }
        }
        #expect(numbers == [1, 2])
        for try await number in try await service.count(to: 1_000_000, failing: false) where number == 5 { break }
        let link = service
        #expect(await holds { (try? link.openCounts()) == 0 })
        await host.stop()
    }

    @Test("services travel by reference", arguments: Depth.allCases)
    func references(depth: Depth) async throws {
        let host = try depth.host()
        let service = try await service(host)
        let child = try await service.child(named: "Ada")
        #expect(try await child.name() == "Ada")
        #expect(try await service.name(of: child) == "Ada")
        let first = try await onThread { try child.visits() }
        #expect(first == 1)
        await host.stop()
        let error = await #expect(throws: LinkError.self) { try await child.name() }
        #expect(error?.code == .stopped)
    }

    @Test("instances are made with arguments", arguments: Depth.allCases)
    func making(depth: Depth) async throws {
        let host = try depth.host()
        let made = try await onThread {
            try (0..<2).map {
                try host.makeService(ChildServiceClient.self, with: ChildOptions(name: "a\($0)", first: 10))
            }
        }
        #expect(try await made[0].name() == "a0")
        #expect(try await made[1].name() == "a1")
        #expect(try await made[0].visits() == 11)
        #expect(try await made[0].visits() == 12)
        #expect(try await made[1].visits() == 11)
        await #expect(throws: Refusal.notNow) {
            try await onThread {
                _ = try host.makeService(ChildServiceClient.self, with: ChildOptions(name: "", first: -1))
            }
        }
        await host.stop()
    }

    @Test("each consumer has its own instance if the class declares that", arguments: Depth.allCases)
    func perConsumer(depth: Depth) async throws {
        let host = try depth.host()
        let child = try await onThread { try host.service(ChildServiceClient.self) }
        #expect(try await child.visits() == 1)
        #expect(try await child.visits() == 2)
        #expect(try await host.call("TypedUser", "visits").int() == 1)
        #expect(try await host.call("TypedUser", "visits").int() == 2)
        #expect(try await host.call("TypedUser", "area", ["width": 2.5]).double() == 2.5)
        await host.stop()
    }

    @Test("a cancelled task cancels its call", arguments: Depth.allCases)
    func cancellation(depth: Depth) async throws {
        let host = try depth.host()
        let service = try await service(host)
        let task = Task { try await service.sleep() }
        task.cancel()
        let error = await #expect(throws: LinkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        await host.stop()
    }

    @Test("a provider can be checked for before use", arguments: Depth.allCases)
    func presence(depth: Depth) async throws {
        let host = try depth.host()
        #expect(host.provides(TypedServiceClient.self))
        #expect(host.link.providers(of: TypedServiceClient.self) == ["FixtureComponent"])
        #expect(!host.isLoaded("TypedLink"))
        _ = try await service(host)
        #expect(host.isLoaded("TypedLink"))
        await host.stop()
        let empty = LinkHost(components: [], includesBuiltIn: false)
        #expect(!empty.provides(TypedServiceClient.self))
        #expect(empty.link.providers(of: TypedServiceClient.self) == [])
        let error = await #expect(throws: LinkError.self) {
            try await onThread { try empty.service(TypedServiceClient.self) }
        }
        #expect(error?.code == .classNotFound)
        #expect(error?.message.contains("org.hslink.fixture/1") == true)
    }
}
