import ComponentHost
import ComponentKit
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Instances of link classes")
struct InstanceTests {
    @Test("a shared instance remembers, one for each call does not", arguments: Depth.allCases, CallForm.allCases)
    func policy(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        for count in 1...3 {
            #expect(await form.perform(host, "count").returnValue == Payload(count))
            #expect(await form.perform(host, "count", className: "FixturePerCall").returnValue == 1)
        }
    }

    @Test("a hundred first calls at once make one instance", arguments: InstancePolicy.all)
    func once(policy: InstancePolicy) async throws {
        let made = InstanceCount()
        let host = try Depth.builtIn.host(provides: [
            ProvidedClass(Maker.self, name: "Renamed", instances: policy) { _ in
                made.add(1)
                return Maker(made)
            }
        ])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    #expect(await CallForm.async.perform(host, "live", className: "Renamed").performSuccess)
                }
            }
        }
        #expect(made.value == (policy == .perCall ? 100 : 1))
        #expect(await CallForm.async.perform(host, "live", className: "Maker").error?.code == .classNotFound)
        await host.stop()
        #expect(await holds { made.ended == made.value })
    }

    @Test("an error of a factory is the error of the call, and the next call tries again")
    func factory() async throws {
        let made = InstanceCount()
        let host = try Depth.builtIn.host(provides: [
            ProvidedClass(Maker.self) { context in
                #expect(context.name == "host")
                made.add(1)
                guard made.value > 1 else { throw LinkError(domain: "maker", number: 3, message: "not yet") }
                return Maker(made)
            }
        ])
        let first = await CallForm.async.perform(host, "live", className: "Maker")
        #expect(first.error?.code == .methodFailed)
        #expect(first.error?.cause?.domain == "maker")
        #expect(first.error?.cause?.number == 3)
        #expect(first.classIsLoad)
        #expect(await CallForm.async.perform(host, "live", className: "Maker").performSuccess)
        #expect(made.value == 2)
    }

    @Test("the component calls a class of the host", arguments: Depth.allCases)
    func provided(depth: Depth) async throws {
        let host = try depth.host()
        #expect(host.isAvailable("HostLink", "greet"))
        #expect(try await host.call("HostLink", "greet", ["name": "Ada"]) == "host greets Ada of ")
        let arguments: Payload = ["class": "HostLink", "selector": "version", "kind": "class"]
        #expect(try await host.call("FixtureLink", "callOther", arguments) == 3)
    }
}

extension InstancePolicy {
    static let all: [InstancePolicy] = [.shared, .perCall, .perConsumer]
}

/// Counts instances that were made and deallocated.
final class InstanceCount: Sendable {
    private let made = Atomic<Int>(0)
    private let endedCount = Atomic<Int>(0)
    var value: Int { made.load(ordering: .relaxed) }
    var ended: Int { endedCount.load(ordering: .relaxed) }
    func add(_ count: Int) { made.add(count, ordering: .relaxed) }
    func end() { endedCount.add(1, ordering: .relaxed) }
}

/// Reports how many instances are alive.
final class Maker: LinkClass {
    private let made: InstanceCount

    init(_ context: ComponentContext) throws { throw CancellationError() }
    init(_ made: InstanceCount) { self.made = made }
    deinit { made.end() }

    static let methods: [LinkMethod<Maker>] = [
        .method("live") { maker, _ in maker.made.value - maker.made.ended }
    ]
}
