import ComponentHost
import ComponentKit
import Foundation
import Testing

@Suite("HSLinkClass on both sides")
struct HSLinkClassTests {
    @Test("a component's subclass answers and asks", arguments: Depth.allCases)
    func inComponent(depth: Depth) async throws {
        let host = try depth.host()
        #expect(
            try await host.call("FixtureSubclass", "askHost", ["name": "Ada"])
                == ["value": "host greets Ada of FixtureComponent", "performed": true, "loaded": true])
        // The host's method fails: performed is false, but the class is loaded.
        #expect(
            try await host.call("FixtureSubclass", "askHost", ["nobody": 1])
                == ["value": nil, "performed": false, "loaded": true])
        #expect(
            await CallForm.async.perform(host, "greet", className: "FixtureSubclass").error?.code == .payloadMismatch)
    }

    @Test("a component asks a host that provides nothing", arguments: Depth.allCases)
    func nothingProvided(depth: Depth) async throws {
        let host = try depth.host(provides: [])
        #expect(
            try await host.call("FixtureSubclass", "askHost", ["name": "Ada"])
                == ["value": nil, "performed": false, "loaded": false])
    }

    @Test("shareObject returns one object per link")
    func shared() async throws {
        let host = try Depth.builtIn.host()
        let other = try Depth.builtIn.host()
        let object = HostSubclass.shareObject(host.link)
        #expect(HostSubclass.shareObject(host.link) === object)
        #expect(HostSubclass.shareObject(other.link) !== object)
        #expect(OtherSeed.shareObject(host.link) !== object)
        #expect(OtherSeed.shareObject(host.link) === OtherSeed.shareObject(host.link))
        let objects = Collected<ObjectIdentifier>()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { objects.add(ObjectIdentifier(ThirdSeed.shareObject(host.link))) }
            }
        }
        #expect(objects.all.count == 8)
        #expect(Set(objects.all).count == 1)
        await host.stop()
        #expect(HostSubclass.shareObject(other.link) === HostSubclass.shareObject(other.link))
    }

    @Test("hsObjectMethod and hsClassMethod call back exactly once", arguments: Depth.allCases, SeedCase.all)
    func callback(depth: Depth, row: SeedCase) async throws {
        let host = try depth.host()
        let subclass = HostSubclass.shareObject(host.link)
        let parts = Collected<SeedParts>()
        let block: @Sendable (Payload?, Bool, Bool) -> Void = { value, success, loaded in
            parts.add(SeedParts(value: value, success: success, loaded: loaded))
        }
        switch row.kind {
        case .object:
            subclass.hsObjectMethod(
                className: row.className, performSelectorStr: row.selector, param: row.param, block: block)
        case .class:
            subclass.hsClassMethod(
                className: row.className, performSelectorStr: row.selector, param: row.param, block: block)
        }
        #expect(await parts.first(1) == [row.parts])
        await host.stop()
        #expect(parts.all == [row.parts])
    }

    @Test("the call is made even without a block", arguments: Depth.allCases)
    func withoutBlock(depth: Depth) async throws {
        let host = try depth.host()
        HostSubclass.shareObject(host.link).hsObjectMethod(
            className: "FixtureLink", performSelectorStr: "count", block: nil)
        HostSubclass.shareObject(host.link).hsClassMethod(
            className: "FixtureLink", performSelectorStr: "missing", block: nil)
        #expect(try await host.call("FixtureLink", "count") == 2)
    }

    @Test("whether the other side is there is known before a call, and loads nothing", arguments: Depth.allCases)
    func presence(depth: Depth) async throws {
        let host = try depth.host()
        let subclass = HostSubclass.shareObject(host.link)
        let rows: [(className: String, selector: String?, kind: SelectorKind, isAvailable: Bool)] = [
            ("FixtureLink", nil, .object, true), ("FixtureLink", nil, .class, true),
            ("FixtureLink", "sum", .object, true), ("FixtureLink", "sum", .class, false),
            ("FixtureLink", "twin", .class, true), ("FixtureLink", "missing", .object, false),
            ("FixtureLink", "", .object, false), ("Missing", nil, .object, false), ("Missing", "sum", .object, false),
        ]
        for row in rows {
            #expect(
                subclass.isAvailable(className: row.className, selector: row.selector, kind: row.kind)
                    == row.isAvailable, "\(row)")
        }
        #expect(!subclass.isLoaded(className: "FixtureLink"))
        #expect(!subclass.isLoaded(className: "Missing"))
        _ = try await host.call("FixtureLink", "count")
        #expect(subclass.isLoaded(className: "FixtureLink"))
        await host.stop()
        #expect(!subclass.isAvailable(className: "FixtureLink"))
        #expect(!subclass.isLoaded(className: "FixtureLink"))
    }

    @Test("a component's subclass knows whether the host provides a class", arguments: Depth.allCases)
    func presenceOfHost(depth: Depth) async throws {
        let host = try depth.host()
        let rows: [(question: Payload, answer: Payload)] = [
            (["class": "HostLink"], ["available": true, "loaded": true]),
            (["class": "HostLink", "selector": "greet"], ["available": true, "loaded": true]),
            (["class": "HostLink", "selector": "missing"], ["available": false, "loaded": true]),
            (["class": "HostLink", "selector": ""], ["available": false, "loaded": true]),
            (["class": "FixtureSubclass"], ["available": true, "loaded": true]),
            (["class": "Missing"], ["available": false, "loaded": false]),
        ]
        for row in rows {
            #expect(try await host.call("FixtureSubclass", "presence", row.question) == row.answer)
        }
        let bare = try depth.host(provides: [])
        #expect(
            try await bare.call("FixtureSubclass", "presence", ["class": "HostLink"])
                == ["available": false, "loaded": false])
    }

    @Test("a subclass may use another one when it is made")
    func sharedInside() async {
        await #expect(processExitsWith: .success) {
            exitWhenStuck()
            let host = LinkHost(components: [], options: .quiet)
            _ = NestedSeed.shareObject(host.link)
        }
    }
}

/// The values that the callback receives.
struct SeedParts: Sendable, Equatable {
    var value: Payload?
    var success: Bool
    var loaded: Bool
}

struct SeedCase: Sendable, CustomTestStringConvertible {
    var className = "FixtureLink"
    var selector: String
    var param: Payload = .null
    var kind = SelectorKind.object
    var parts: SeedParts

    var testDescription: String { "\(className).\(selector) (\(kind))" }

    static let all: [SeedCase] = [
        SeedCase(selector: "twin", parts: SeedParts(value: "object", success: true, loaded: true)),
        SeedCase(selector: "twin", kind: .class, parts: SeedParts(value: "class", success: true, loaded: true)),
        SeedCase(selector: "nothing", parts: SeedParts(value: .null, success: true, loaded: true)),
        SeedCase(selector: "echo", param: [1, 2], parts: SeedParts(value: [1, 2], success: true, loaded: true)),
        SeedCase(selector: "asyncThrow", parts: SeedParts(value: nil, success: false, loaded: true)),
        SeedCase(selector: "drop", parts: SeedParts(value: nil, success: false, loaded: true)),
        SeedCase(selector: "missing", parts: SeedParts(value: nil, success: false, loaded: true)),
        SeedCase(selector: "missing", kind: .class, parts: SeedParts(value: nil, success: false, loaded: true)),
        SeedCase(selector: "sum", kind: .class, parts: SeedParts(value: nil, success: false, loaded: true)),
        SeedCase(className: "Missing", selector: "x", parts: SeedParts(value: nil, success: false, loaded: false)),
        SeedCase(
            className: "Missing", selector: "x", kind: .class,
            parts: SeedParts(value: nil, success: false, loaded: false)),
    ]
}

final class HostSubclass: HSLinkClass, @unchecked Sendable {}
final class OtherSeed: HSLinkClass, @unchecked Sendable {}
final class ThirdSeed: HSLinkClass, @unchecked Sendable {}

final class NestedSeed: HSLinkClass, @unchecked Sendable {
    // Unchecked: immutable after initialisation.
    private let inner: HostSubclass

    required init(link: Link) {
        inner = HostSubclass.shareObject(link)
        super.init(link: link)
    }
}
