import Testing

@testable import ComponentCatalog

@Suite("Disabled components")
struct DisabledTests {
    private static let setting = "host.components.B.enabled in f"

    /// A catalogue in which B is disabled, in all of its versions.
    private static func catalog(_ manifests: [Manifest]) -> Catalog {
        let survey = CatalogSurvey(
            candidates: manifests.map { Catalog.Candidate(manifest: $0) }, rejectedFiles: [], rejectedDirectories: [],
            followed: FollowedFiles())
        return survey.disabling { $0.isExactly("B") ? setting : nil }.catalog(host: HostDeclaration())
    }

    @Test("are listed in every version, and have no name, class, service or shadow")
    func listing() throws {
        let catalog = try Self.catalog([
            .make("B@1.0.0", classes: ["Link"], provides: ["s/1"]), .make("B@2.0.0"), .make("C", classes: ["Link"]),
        ])
        let states = catalog.entries.map(\.state)
        #expect(states == [.available, .disabled(by: Self.setting), .disabled(by: Self.setting)])
        #expect(
            catalog.entries.map { "\($0.manifest.name) \($0.manifest.version)" } == ["C 1.0.0", "B 1.0.0", "B 2.0.0"])
        #expect(catalog.entry(named: "B") == nil && catalog.searchPosition(of: "B") == nil)
        #expect(catalog.entry(ofClass: "Link")?.manifest.name == "C" && catalog.conflicts.isEmpty)
        #expect(catalog.disabledEntries.map(\.disabledBy) == [Self.setting, Self.setting])
        #expect(catalog.prerequisites(of: "B").isEmpty)
    }

    static let requirements: [(requires: String, others: [String], reason: String?)] = [
        ("B", [], "the component B is disabled by host.components.B.enabled in f"),
        ("B@>=9.0.0", [], "the component B is disabled by host.components.B.enabled in f"),
        ("#Link", [], "the component B is disabled by host.components.B.enabled in f, and has the class Link"),
        ("$s/1", [], "the component B is disabled by host.components.B.enabled in f, and provides the service s/1"),
        ("#Link", ["Link"], nil),
        ("#Other", [], "neither the host nor a component has the class Other"),
    ]

    @Test("are the reason why what requires them cannot be used", arguments: requirements)
    func requirement(requires: String, others: [String], reason: String?) throws {
        for optional in ["", "?"] {
            let catalog = try Self.catalog(
                [
                    .make("A", requires: [requires + optional]),
                    .make("B", classes: ["Link"], provides: ["s/1"]),
                ] + others.map { try .make("C", classes: [$0]) })
            let name = requires.drop { "#$".contains($0) }.prefix { $0 != "@" }
            if optional.isEmpty {
                #expect(catalog.unmet == (reason.map { ["A → \(name): \($0)"] } ?? []))
            } else {
                #expect(catalog.entry(named: "A")?.limitations.map(\.reason) == (reason.map { [$0] } ?? []))
            }
        }
    }

    @Test("are passed over for another provider of their service")
    func otherProvider() throws {
        let catalog = try Self.catalog([
            .make("A", requires: ["$s/1"]), .make("B@3.0.0", provides: ["s/1"]), .make("C", provides: ["s/1"]),
        ])
        #expect(catalog.available == ["C", "A"] && catalog.unmet.isEmpty)
    }
}
