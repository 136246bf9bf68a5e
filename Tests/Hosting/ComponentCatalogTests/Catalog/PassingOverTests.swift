import Testing

@testable import ComponentCatalog

@Suite("Providers of services whose own requirements are not met")
struct PassingOverTests {
    @Test("the only provider that is left is chosen, even though it is unmet")
    func last() throws {
        let catalog = try Catalog.make([
            .make("P@2.0.0", provides: ["com.s/1"], requires: ["Gone"]),
            .make("Q@3.0.0", provides: ["com.s/1"], requires: ["Gone"]), .make("R@1.0.0", requires: ["$com.s/1"]),
        ])
        #expect(catalog.available.isEmpty)
        #expect(
            catalog.unmet == [
                "P → Gone: no component Gone was found", "Q → Gone: no component Gone was found",
                "R → P → Gone: no component Gone was found",
            ])
    }

    @Test("a provider is not passed over when another choice of its own provider helps")
    func cause() throws {
        let catalog = try Catalog.make([
            .make("User", requires: ["$com.s/1"]), .make("P@2.0.0", provides: ["com.s/1"], requires: ["$com.t/1"]),
            .make("Q", provides: ["com.s/1"]), .make("T@2.0.0", provides: ["com.t/1"], requires: ["Gone"]),
            .make("V", provides: ["com.t/1"]),
        ])
        #expect(catalog.prerequisites(of: "User").map(\.manifest.name) == ["V", "P"])
    }

    @Test("a consumer that comes nearer to what is missing is passed over before those that are further away")
    func nearer() throws {
        let (one, both) = (#"{"name": "a"}"#, #"{"name": "a"}, {"name": "b"}"#)
        // With Far, it is three requirements away from Gone; with Near, only one. The search that found Far and Rival,
        // both two away, does not know that.
        var chooser = try Manifest.providing(one, name: "Chooser", version: "2.0.0")
        chooser.requires = try Manifest.make("Chooser", requires: ["$com.s/1"]).requires
        var rival = try Manifest.providing(both, name: "Rival")
        rival.requires = try Manifest.make("Rival", requires: ["Middle"]).requires
        let catalog = try Catalog.make([
            chooser, rival,
            .make("Far@2.0.0", provides: ["com.s/1"], requires: ["Middle"]),
            .make("Near", provides: ["com.s/1"], requires: ["Gone"]),
            .make("Middle", requires: ["Base"]), .make("Base", requires: ["Gone"]),
            .make("Any", requires: ["$com.x/1"]),
            // Fits Rival only, which so could be passed over, too.
            .using(both, name: "Strict", requires: #"{"service": "com.x/1"}"#),
        ])
        #expect(catalog.unmet.contains("Chooser → Near → Gone: no component Gone was found"))
        #expect(catalog.unmet.contains("Any → Rival → Middle → Base → Gone: no component Gone was found"))
    }

    @Test("a component that provides the service itself is its own last choice")
    func oneself() throws {
        let catalog = try Catalog.make([
            .make("A", provides: ["com.s/1"], requires: ["$com.s/1"]),
            .make("P@2.0.0", provides: ["com.s/1"], requires: ["Gone"]),
        ])
        #expect(catalog.available == ["A"])
        #expect(catalog.prerequisites(of: "A").isEmpty)
    }

    @Test("a component that can do without the service makes others choose, too")
    func optional() throws {
        let catalog = try Catalog.make([
            .make("A", requires: ["$com.s/1?"]), .make("P@2.0.0", provides: ["com.s/1"], requires: ["Gone"]),
            .make("Q", provides: ["com.s/1"]),
        ])
        #expect(catalog.available == ["A", "Q"])
        #expect(catalog.limitations.isEmpty)
    }

    /// What the unmet providers require: what is missing, or a component that is unmet.
    enum Reach: CaseIterable {
        case missing
        case unmet
    }

    @Test("all that are unmet are found together", arguments: Reach.allCases, [true, false])
    func together(reach: Reach, isAscending: Bool) throws {
        let count = 2000
        var manifests = [try Manifest.make("X", requires: ["Gone"])]
        for index in 0..<count {
            let version = isAscending ? count - index : index + 1
            manifests.append(
                try .make(
                    "P\(index)@1.\(version).0", provides: ["com.s/1"], requires: [reach == .missing ? "Gone" : "X"]))
            manifests.append(try .make("User\(index)", requires: ["$com.s/1"]))
        }
        // One provider after the other would take as many searches as there are providers.
        let broken = Resolved(manifests)
        #expect(broken.resolver.searches == 2)
        #expect(broken.resolver.comparisons == 1)
        let end = reach == .missing ? "Gone" : "X → Gone"
        let last = isAscending ? "P\(count - 1)" : "P0"
        #expect(broken.catalog.unmet.contains("User7 → \(last) → \(end): no component Gone was found"))
        #expect(broken.catalog.unmet.count == 2 * count + 1)
        let whole = Resolved(manifests + [try .make("Whole", provides: ["com.s/1"])])
        #expect(whole.resolver.searches == 2)
        #expect(whole.catalog.available.count == count + 1)
        #expect(whole.catalog.prerequisites(of: "User7").map(\.manifest.name) == ["Whole"])
    }

    @Test("a consumer is compared with each provider once")
    func comparisons() throws {
        let selector = #"{"name": "a"}"#
        let consumers = try (0..<20).map { index in
            try Manifest.using(selector, name: "User\(index)", requires: #"{"service": "com.x/1"}"#)
        }
        let providers = try (0..<50).map { index in
            var manifest = try Manifest.providing(selector, name: "P\(index)")
            manifest.requires = try Manifest.make("P", requires: ["Gone"]).requires
            return manifest
        }
        let resolved = Resolved(consumers + providers)
        #expect(resolved.resolver.comparisons == 20 * 50)
        #expect(resolved.catalog.unmet.contains("User3 → P49 → Gone: no component Gone was found"))
    }

    @Test("those are passed over that a search after each would find", arguments: 0..<60)
    func random(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<5 {
            let components = RandomComponents(&random)
            let catalog = Catalog.make(try components.manifests())
            let chosen = components.choices()
            // The same components, which require what is chosen for them by its name.
            let plain = Catalog.make(try components.manifests(choosing: chosen))
            #expect(catalog.available == plain.available)
            #expect(catalog.unmet == plain.unmet)
        }
    }
}

/// A resolver after its work, and the catalogue that is made of the same components.
private struct Resolved {
    let catalog: Catalog
    let resolver: RequirementResolver

    init(_ manifests: [Manifest]) {
        let candidates = manifests.map { Catalog.Candidate(manifest: $0) }
        let host = HostDeclaration()
        var resolver = RequirementResolver(candidates, CandidateSelection(candidates, host: host), host: host)
        _ = resolver.resolve()
        self.resolver = resolver
        catalog = Catalog.make(manifests)
    }
}
