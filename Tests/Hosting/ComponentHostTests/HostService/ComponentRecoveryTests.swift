import CHSLink
import ComponentKit
import HostContract
import TestSupport
import Testing

@testable import ComponentHost

@Suite("What would recover a component")
struct ComponentRecoveryTests {
    /// What a component requires, what else there is, and what would recover the component.
    static let unmet: [(requires: String, others: [String], sentence: String)] = [
        (#"{"component": "B"}"#, [], "add the component B, then rescan"),
        (
            #"{"component": "B", "version": ">=2.0.0"}"#, [#""name": "B", "version": "1.0.0""#],
            "add the component B in a version >=2.0.0, then rescan"
        ),
        (#"{"class": "BLink"}"#, [], "add a component that has the class BLink, then rescan"),
        (
            #"{"class": "BLink", "selectors": ["log", "+open"]}"#,
            [#""name": "B", "version": "1.0.0", "classes": [{"name": "BLink"}]"#],
            "add a component that has the class BLink with log, +open, then rescan"
        ),
        (
            #"{"service": "com.x/1"}"#, [],
            "add a component that provides the service com.x/1 as A requires it, then rescan"
        ),
        // The cause is further away.
        (
            #"{"component": "B"}"#,
            [#""name": "B", "version": "1.0.0", "requires": [{"component": "C"}, {"component": "D"}]"#],
            "add the component C, then rescan"
        ),
        (
            #"{"component": "B"}"#, [#""name": "B", "version": "1.0.0", "requires": [{"service": "com.x/1"}]"#],
            "add a component that provides the service com.x/1 as B requires it, then rescan"
        ),
        (
            #"{"component": "B"}"#, [#""name": "B", "version": "1.0.0", "requires": [{"component": "A"}]"#],
            "make one of the requirements in the cycle optional"
        ),
    ]

    private func catalog(_ requires: String, _ others: [String], isOptional: Bool = false) throws -> Catalog {
        let requirement = isOptional ? requires.dropLast() + #", "optional": true}"# : requires
        let texts = [#""name": "A", "version": "1.0.0", "requires": [\#(requirement)]"#] + others
        return Catalog(try texts.map { .init(manifest: try Manifest(Payload(json: "{\($0)}"))) })
    }

    @Test("of requirements, what is missing at the end of the path", arguments: unmet)
    func requirements(requires: String, others: [String], sentence: String) throws {
        let catalog = try catalog(requires, others)
        guard case .unmet(let unmet) = catalog.entry(named: "A")?.state else {
            Issue.record("the requirement is met")
            return
        }
        let error = LinkError(.requirementNotMet, message: unmet.message, component: "A")
        #expect(ComponentRecovery(catalog).sentence(for: error, of: "A") == sentence)
    }

    @Test("of optional requirements, the same, except for a cycle, which does no harm", arguments: unmet)
    func limitations(requires: String, others: [String], sentence: String) throws {
        let catalog = try catalog(requires, others, isOptional: true)
        let limitation = try #require(catalog.entry(named: "A")?.limitations.first)
        let found = ComponentRecovery(catalog).sentence(for: limitation, of: "A")
        #expect(found == (sentence.contains("cycle") ? nil : sentence), "\(limitation.reason)")
    }

    @Test("of many optional requirements, what each of them lacks")
    func manyLimitations() throws {
        let texts = (0..<50).flatMap { number in
            [
                #""name": "A\#(number)", "version": "1.0.0", "requires": [{"component": "B\#(number)", "optional": true}]"#,
                #""name": "B\#(number)", "version": "1.0.0", "requires": [{"component": "C\#(number)"}]"#,
            ]
        }
        let catalog = Catalog(try texts.map { .init(manifest: try Manifest(Payload(json: "{\($0)}"))) })
        let recovery = ComponentRecovery(catalog)
        for number in 0..<50 {
            let limitation = try #require(catalog.entry(named: "A\(number)")?.limitations.first)
            #expect(
                recovery.sentence(for: limitation, of: "A\(number)") == "add the component C\(number), then rescan")
        }
    }

    @Test("of an optional requirement that a former catalog did not meet, what is missing now")
    func formerLimitation() throws {
        func provider(requiring name: String) -> String {
            #""name": "B", "version": "1.0.0", "requires": [{"component": "\#(name)"}]"#
        }
        let requires = #"{"component": "B"}"#
        let former = try catalog(requires, [provider(requiring: "C")], isOptional: true)
        let limitation = try #require(former.entry(named: "A")?.limitations.first)
        let current = try catalog(requires, [provider(requiring: "D")], isOptional: true)
        let now = ComponentRecovery(current).sentence(for: limitation, of: "A")
        #expect(now == "add the component D, then rescan")
        // What is required has vanished altogether.
        #expect(ComponentRecovery(.empty).sentence(for: limitation, of: "A") == "add the component B, then rescan")
    }

    static let errors: [(code: LinkError.Code, sentence: String)] = [
        (.untrustedFile, "follow the advice in the reason, then rescan"),
        (.invalidFile, "replace its file with a correct one, then rescan"),
        (.missingEntry, "replace its file with a correct one, then rescan"),
        (.invalidDescriptor, "replace its file with a correct one, then rescan"),
        (.wrongABI, "replace its file with one that was built for this host, then rescan"),
        (.otherCompiler, "replace its file with one that was built for this host, then rescan"),
        (.cannotLink, "install the missing library, or rebuild the component, then retry"),
        (.createFailed, "fix the reported problem, then retry"),
        (.fileChanged, "rescan the directories"),
        (.requirementNotMet, "fix the reported problem, then retry"),
        (.noReply, "fix the reported problem, then retry"),
    ]

    @Test("of a failed load, what its code says", arguments: errors)
    func failures(code: LinkError.Code, sentence: String) throws {
        let recovery = ComponentRecovery(try catalog(#"{"component": "B", "optional": true}"#, []))
        #expect(recovery.sentence(for: LinkError(code, message: "m", component: "A"), of: "A") == sentence)
        // A component without an entry.
        #expect(ComponentRecovery(.empty).sentence(for: LinkError(code, message: "m"), of: "A") == sentence)
    }

    @Test("of one that requires a component that is not loaded, that component first")
    func causes() {
        let recovery = ComponentRecovery(.empty)
        let cause = LinkError(.createFailed, message: "m", component: "B")
        let error = LinkError(.requirementNotMet, message: "m", component: "A", cause: cause)
        #expect(recovery.sentence(for: error, of: "A") == "recover B, then retry")
        // Wherever the configuration is in the chain.
        let configuration = LinkError(
            domain: HSLINK_CONFIGURATION_DOMAIN, number: 1, message: "FixtureComponent.limit: expected a number")
        for error in [
            configuration, LinkError(.requirementNotMet, message: "m", component: "A", cause: configuration),
        ] {
            #expect(
                recovery.sentence(for: error, of: "A")
                    == "correct the configuration; the host then reads it and tries again")
        }
    }

    static let onDisk: [(state: OnDiskState, sentence: String?)] = [
        (.same, nil), (.gone, "put its file back before restarting the host"),
        (.refused(reason: "chmod"), "follow the advice in the reason before restarting the host"),
        (.replaced(by: Version(2, 0, 0), path: "/p"), "restart the host to use 2.0.0"),
        (.replaced(by: Version(0, 9, 0), path: "/p"), "restart the host to use 0.9.0"),
        (.replaced(by: Version(1, 0, 0), path: "/p"), "restart the host to use the new file"),
    ]

    @Test("of one whose file has changed, what to do before a restart", arguments: onDisk)
    func changes(state: OnDiskState, sentence: String?) {
        #expect(ComponentRecovery(.empty).sentence(for: state, besides: Version(1, 0, 0)) == sentence)
    }

    /// Fixtures, a component to load, and what would recover it afterwards.
    static let fixtures: [(names: [String], component: String, sentence: String?)] = [
        (["CGood"], "CGood", nil),
        (["NeedsMissing"], "NeedsMissing", "add the component NotThere, then rescan"),
        (["NeedsNewer", "CGood"], "NeedsNewer", "add the component CGood in a version >=9.0.0, then rescan"),
        (["NeedsCycleA", "NeedsCycleB"], "NeedsCycleA", "make one of the requirements in the cycle optional"),
        (["NeedsFailing", "CreateFails"], "NeedsFailing", "recover CreateFails, then retry"),
        (["NeedsOptional"], "NeedsOptional", "add the component NotThere, then rescan"),
        (["CreateFails"], "CreateFails", "fix the reported problem, then retry"),
        (["MissingEntry"], "MissingEntry", "replace its file with a correct one, then rescan"),
        (
            ["MissingLibrary"], "MissingLibrary",
            "install the missing library, or rebuild the component, then retry"
        ),
        (
            ["NoteAbiTooNew"], "NoteAbiTooNew",
            "replace its file with one that was built for this host, then rescan"
        ),
    ]

    @Test("of real components", arguments: fixtures)
    func real(names: [String], component: String, sentence: String?) async throws {
        try await withHost(names) { host, _ async throws in
            try? await onThread { try host.load(component) }
            let row = HostContents(host).components.first { $0.name == component }
            #expect(row?.recovery == sentence, "\(row?.reason ?? "")")
        }
    }
}
