import CHSLink
import ComponentKit
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("The features of a host")
struct HostFeatureTests {
    /// Notes what it is told, and refuses to let components start if that is wanted.
    private final class Listener: HostFeature {
        static var place: Int { 0 }

        let told = Collected<String>()
        let refusal: LinkError?
        /// How often its answer to `check` may have changed.
        private let changes = Lock(0)

        init(refusal: LinkError? = nil) { self.refusal = refusal }

        func publish(_ units: [ComponentUnit]) { told.add("publish") }
        func scanned(_ units: [ComponentUnit]) { told.add("scanned") }
        func check(_ unit: ComponentUnit) throws(LinkError) {
            guard unit.name == "FixtureComponent" else { return }
            told.add("check")
            guard let refusal else { return }
            changes.withLock { $0 += 1 }
            throw refusal
        }
        var generation: Int { changes.withLock { $0 } }
        func loaded(_ unit: ComponentUnit, in core: HostCore) {
            if unit.name == "FixtureComponent" { told.add("loaded") }
        }
        func resourceProblem(of unit: ComponentUnit, _ bundles: ResourceBundles) -> String? { "of \(unit.name)" }
        func announce(_ event: String, _ payload: Payload, in core: HostCore) { told.add("announce \(event)") }
        func announceAndWait(_ event: String, _ payload: Payload, until end: Deadline?, in core: HostCore) {
            told.add("\(event)\(end == nil ? "" : " in time")")
        }
        func ready(in core: HostCore) { told.add("ready") }
        func starting(in core: HostCore) { told.add("starting") }
        func closing() { told.add("closing") }
        func stopped(_ report: StopReport, in core: HostCore) {
            told.add("stopped")
            #expect(core.registry.unit(named: "FixtureComponent")?.loaded == nil)
        }
        func over(in core: HostCore) {
            told.add("over")
            #expect(core.engine.isOver)
        }
    }

    /// The component of a host without classes of its own.
    private static let bareHost = LinkedComponent.make(name: HostScan.hostName, version: "0.0.0", [])

    /// A host with what is linked into the test program, and no other feature.
    private func core(_ listener: Listener) -> HostCore {
        let scan = HostScan(
            directories: [], includesBuiltIn: true, ownClasses: [], bareHost: HostFeatureTests.bareHost, provides: [],
            places: [], options: .quiet)
        return HostCore(scan, [listener])
    }

    @Test("are told about the life of a host in order, and the host needs none of its usual ones")
    func order() async throws {
        let listener = Listener()
        let core = core(listener)
        try await onThread { try core.load("FixtureComponent") }
        let infos = core.componentInfos()
        #expect(infos.contains { $0.name == "FixtureComponent" })
        #expect(infos.allSatisfy { $0.resourceProblem == "of \($0.name)" })
        _ = await awaitResume { (resume: @escaping @Sendable (StartReport) -> Void) in core.start(resume) }
        core.rescan()
        let report = try await onThread { core.stop(timeout: TestPatience.limit(.seconds(5))) }
        #expect(report.stillRunning == [])
        let expected = [
            "publish", "scanned", "ready", "check", "loaded", "starting", HostStarted.eventName, "publish", "scanned",
            "\(HostWillStop.eventName) in time", "closing", "stopped", "over",
        ]
        #expect(listener.told.all == expected)
    }

    @Test("are not asked to deliver anything when a host stops at once")
    func atOnce() async throws {
        let listener = Listener()
        let core = core(listener)
        _ = try await onThread { core.stop(timeout: .zero) }
        #expect(listener.told.all == ["publish", "scanned", "ready", "closing", "stopped", "over"])
    }

    @Test(
        "keep a component from starting, and let it be tried again if their configuration has changed",
        arguments: [(HSLINK_CONFIGURATION_DOMAIN, true), ("org.hslink.tests", false)])
    func refusal(domain: String, isTriedAgain: Bool) async throws {
        let listener = Listener(refusal: LinkError(domain: domain, number: 1, message: "not now"))
        let core = core(listener)
        for _ in 0..<2 {
            let error = await answer {
                try await onThread { try core.load("FixtureComponent") }
                return .null
            }.error
            #expect(error != nil)
        }
        #expect(listener.told.all.count { $0 == "check" } == (isTriedAgain ? 2 : 1))
        #expect(!listener.told.all.contains("loaded"))
        _ = try await onThread { core.stop(timeout: .zero) }
    }

    @Test("of every host are in their places, with the classes that every host has")
    func places() {
        let features = HostFeatures(.quiet).all
        #expect(features.map { type(of: $0).place } == Array(features.indices))
        #expect(features.map { "\(type(of: $0))" } == HostFeatures.types.map { "\($0)" })
        #expect(Set(HostClasses.own.map(\.name)).count == 9)
    }
}
