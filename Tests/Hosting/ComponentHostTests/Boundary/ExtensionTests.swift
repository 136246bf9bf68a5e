import CHSLink
import ComponentKit
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Extensions and brackets over the boundary")
struct ExtensionTests {
    /// Returns the name of the component that owns an object, through the C interface.
    private func owner(of object: LinkObject) -> String? {
        unsafe hslink_owner_of(object.pointer).map { unsafe String($0.pointee.component) }
    }

    @Test("objects of a Swift component report their owner", arguments: Depth.allCases)
    func swiftOwner(depth: Depth) async throws {
        let host = try depth.host()
        let instance = try await host.call("FixtureLink", "makeCounter").object()
        let closure = try await host.call("FixtureLink", "adder", ["amount": 1]).object()
        #expect(owner(of: instance) == "FixtureComponent")
        #expect(owner(of: closure) == "FixtureComponent")
        // The host's own objects have no table.
        #expect(owner(of: try host.link.closure { _ in 1 }.object()) == nil)
        await host.stop()
        #expect(owner(of: instance) == "FixtureComponent")
    }

    @Test("an object in C reports its owner to Swift, and a Swift object to C")
    func bothDirections() async throws {
        try await withHost(["Extended", "CGood"]) { host, directory async throws in
            try directory.add("FixtureComponent")
            host.rescan()
            let object = try await host.value("ExtendedLink", "object")
            #expect(owner(of: try object.object()) == "Extended")
            let counter = try await host.value("FixtureLink", "makeCounter", kind: .object)
            // Without the extension.
            let silent = try await host.value("CGoodLink", "makeCounter")
            #expect(owner(of: try silent.object()) == nil)
            for (object, name) in [(object, "Extended" as Payload), (counter, "FixtureComponent"), (silent, nil)] {
                #expect(try await host.value("ExtendedLink", "ownerOf", ["object": object]) == name)
            }
        }
    }

    @Test("unknown extensions and NULL names return NULL")
    func unknown() async throws {
        let host = try Depth.builtIn.host()
        let instance = try await host.call("FixtureLink", "makeCounter").object()
        let ask = unsafe instance.pointer.pointee.type.pointee.get_extension
        for name in ["", "hslink.owner/2", "hslink.owner/", HSLINK_STOPPING] {
            let table = unsafe name.withLinkString { unsafe ask?(instance.pointer.pointee.type, $0) }
            #expect(unsafe table == nil)
        }
        let table = unsafe ask?(instance.pointer.pointee.type, hslink_string(utf8: nil, length: 14))
        #expect(unsafe table == nil)
        await host.stop()
    }

    // MARK: Stopping

    private func loaded(_ name: String, in host: LinkHost) async throws -> LoadedComponent {
        try await onThread { try host.load(name) }
        return try #require(host.core.registry.unit(named: name)?.loaded)
    }

    @Test("a component in C is notified that its host begins to stop")
    func stoppingOfC() async throws {
        try await withHost(["Extended"]) { host, _ async throws in
            let component = try await loaded("Extended", in: host)
            #expect(try await host.value("ExtendedLink", "stopped") == 0)
            let stopping = try unsafe #require(unsafe DescriptorExtensions.stoppingExtension(of: component.descriptor))
            unsafe stopping(component.descriptor, component.value)
            #expect(try await host.value("ExtendedLink", "stopped") == 1)
        }
    }

    @Test("a component in Swift is notified that its host begins to stop", arguments: Depth.allCases)
    func stoppingOfSwift(depth: Depth) async throws {
        let log = CollectedLog()
        let host = try depth.host(options: log.options)
        let component = try await loaded("FixtureComponent", in: host)
        let stopping = try unsafe #require(unsafe DescriptorExtensions.stoppingExtension(of: component.descriptor))
        // There is nothing to notify.
        unsafe stopping(component.descriptor, nil)
        #expect(!log.lines.all.contains("fixture is stopping"))
        await host.stop()
        #expect(log.lines.all.count { $0 == "fixture is stopping" } == 1)
    }

    @Test("components with a missing or broken extension are not notified")
    func noStopping() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let component = try await loaded("CGood", in: host)
            #expect(unsafe DescriptorExtensions.stoppingExtension(of: component.descriptor) == nil)
        }
        var descriptor = unsafe hslink_descriptor()
        #expect(unsafe DescriptorExtensions.stoppingExtension(of: &descriptor) == nil)
        unsafe descriptor.get_extension = { _, _ in nil }
        #expect(unsafe DescriptorExtensions.stoppingExtension(of: &descriptor) == nil)
        unsafe descriptor.get_extension = { _, _ in unsafe BrokenTables.small }
        #expect(unsafe DescriptorExtensions.stoppingExtension(of: &descriptor) == nil)
        unsafe descriptor.get_extension = { _, _ in unsafe BrokenTables.empty }
        #expect(unsafe DescriptorExtensions.stoppingExtension(of: &descriptor) == nil)
    }

    // MARK: Work

    @Test("work is counted, refused after stop, and never negative")
    func work() async throws {
        let log = CollectedLog()
        try await withHost(["Extended"], options: log.options) { host, _ async throws in
            let component = try await loaded("Extended", in: host)
            func work() -> Int { unsafe component.runState.workCount }
            #expect(try await host.value("ExtendedLink", "beginWork") == Payload(HSLINK_OK))
            #expect(try await host.value("ExtendedLink", "beginWork") == Payload(HSLINK_OK))
            #expect(work() == 2)
            _ = try await host.value("ExtendedLink", "endWork")
            _ = try await host.value("ExtendedLink", "endWork")
            #expect(work() == 0)
            #expect(!log.lines.all.contains { $0.contains("work") })
            _ = try await host.value("ExtendedLink", "endWork")
            #expect(work() == 0)
            #expect(log.lines.all.contains("called end_work more often than begin_work; ignored"))
        }
    }

    @Test("no work begins once a component is stopped")
    func lateWork() async throws {
        let kept = Collected<ComponentContext>()
        let host = LinkHost(
            components: [], includesBuiltIn: false,
            provides: [
                ProvidedClass(HostLink.self) { context in
                    kept.add(context)
                    return HostLink(context)
                }
            ], options: .quiet)
        _ = try await host.call("HostLink", "greet", ["name": "Ada"])
        let functions = try unsafe #require(unsafe kept.all.first?.hostFunctions)
        #expect(unsafe functions.pointee.begin_work(functions) == Int32(HSLINK_OK))
        unsafe functions.pointee.end_work(functions)
        await host.stop()
        #expect(unsafe functions.pointee.begin_work(functions) == Int32(HSLINK_LATE))
    }

    @Test("the context that a call carries has limits")
    func carried() async throws {
        let text = String(repeating: "x", count: 4096)
        let refused: [Payload] = [
            1, "text", ["one"], ["key": 1], ["key": nil], ["key": ["inner": "map"]],
            .map((0..<65).map { ("key \($0)", "") }), ["one": Payload(text), "two": Payload(text)],
        ]
        let taken: [Payload] = [
            [:], ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
            .map((0..<64).map { ("key \($0)", "") }), ["1": Payload(text), "2": Payload(String(text.dropLast(2)))],
        ]
        try await withHost(["Extended"]) { host, _ async throws in
            for carried in refused {
                let answer = await host.blockingCall("ExtendedLink", "carry", ["carried": carried])
                #expect(answer.error?.code == .payloadMismatch, "\(carried)")
            }
            for carried in taken {
                let answer = await host.blockingCall("ExtendedLink", "carry", ["carried": carried])
                #expect(answer.performSuccess, "\(carried)")
            }
            #expect(await host.blockingCall("ExtendedLink", "carry").performSuccess)
        }
    }

    @Test("enter and leave nest, and an extra leave is reported")
    func brackets() async throws {
        let log = CollectedLog()
        try await withHost(["Extended"], options: log.options) { host, _ async throws in
            #expect(try await host.value("ExtendedLink", "enter") == true)
            #expect(!log.lines.all.contains { $0.contains("leave more often") })
            _ = try await host.value("ExtendedLink", "leave")
            #expect(log.lines.all.contains("called leave more often than enter on this thread; ignored"))
            #expect(try await host.value("ExtendedLink", "enter") == true)
        }
    }
}

/// Invalid tables for `hslink.stopping/1`. Written once when they are made, read-only from then on.
private enum BrokenTables {
    nonisolated(unsafe) static let small = unsafe make(size: 8, stopping: 1)
    nonisolated(unsafe) static let empty = unsafe make(size: 16, stopping: 0)

    private static func make(size: UInt64, stopping: UInt64) -> UnsafeRawPointer {
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 2)
        unsafe words.initialize(to: size)
        unsafe (words + 1).initialize(to: stopping)
        return UnsafeRawPointer(words)
    }
}
