import Testing

@testable import ComponentCatalog

@Suite("Requirements between components")
struct RequirementTests {
    @Test("components come after those they require, the others by name")
    func order() throws {
        let catalog = try Catalog.make([
            .make("Video", requires: ["Account", "#ImageLink", "Base"]), .make("Base"), .make("Zebra"),
            .make("Account", requires: ["Zebra"]), .make("Image", classes: ["ImageLink"], requires: ["Base?"]),
            .make("Alone"),
        ])
        #expect(catalog.available == ["Zebra", "Account", "Alone", "Base", "Image", "Video"])
        #expect(catalog.unmet.isEmpty && catalog.limitations.isEmpty)
        #expect(catalog.prerequisites(of: "Video").map(\.manifest.name) == ["Zebra", "Account", "Base", "Image"])
        #expect(catalog.prerequisites(of: "Image").map(\.manifest.name) == ["Base"])
        #expect(catalog.prerequisites(of: "Alone").isEmpty)
        #expect(catalog.prerequisites(of: "Nobody").isEmpty)
    }

    @Test("the order does not depend on the order of discovery")
    func determinism() throws {
        let manifests = try [
            Manifest.make("A", requires: ["D?", "#C1?"]), .make("B", requires: ["A?"]), .make("C", classes: ["C1"]),
            .make("D", requires: ["B", "C"]), .make("E", requires: ["X"]), .make("F", requires: ["E"]),
        ]
        var random = SplitMix(state: 7)
        let first = Catalog.make(manifests)
        for _ in 0..<50 {
            let other = Catalog.make(manifests.shuffled(using: &random))
            #expect(other.entries.map(\.manifest.name) == first.entries.map(\.manifest.name))
            #expect(other.unmet == first.unmet && other.limitations == first.limitations)
        }
    }

    @Test("a missing component is reported along the whole path")
    func missing() throws {
        let catalog = try Catalog.make([
            .make("A", requires: ["B"]), .make("B", requires: ["C"]), .make("D", requires: ["#Gone"]), .make("E"),
        ])
        #expect(catalog.available == ["E"])
        #expect(
            catalog.unmet == [
                "A → B → C: no component C was found", "B → C: no component C was found",
                "D → Gone: neither the host nor a component has the class Gone",
            ])
        #expect(catalog.prerequisites(of: "A").isEmpty)
    }

    @Test("a name that was probably meant is suggested")
    func similar() throws {
        let catalog = try Catalog.make(
            [
                .make("Video", requires: ["Acount"]), .make("Player", requires: ["#VideoLnk"]),
                .make("Screen", requires: ["#HostLnk"]), .make("Account", classes: ["VideoLink"]),
            ], hostClasses: ["HostLink"])
        #expect(
            catalog.unmet.sorted() == [
                "Player → VideoLnk: neither the host nor a component has the class VideoLnk; did you mean VideoLink?",
                "Screen → HostLnk: neither the host nor a component has the class HostLnk; did you mean HostLink?",
                "Video → Acount: no component Acount was found; did you mean Account?",
            ])
    }

    @Test("a version other than the required one is reported with both versions")
    func version() throws {
        let catalog = try Catalog.make([
            .make("A", requires: ["B@>=1.0.0 <2.0.0"]), .make("B@2.1.0"), .make("C", requires: ["B@2.0.0"]),
        ])
        #expect(catalog.available == ["B", "C"])
        #expect(catalog.unmet == ["A → B: found B 2.1.0, but >=1.0.0 <2.0.0 is required"])
    }

    @Test("required classes of the host need no component")
    func hostClasses() throws {
        let manifests = try [Manifest.make("A", requires: ["#HostLink"])]
        #expect(Catalog.make(manifests, hostClasses: ["HostLink"]).available == ["A"])
        #expect(
            Catalog.make(manifests).unmet == ["A → HostLink: neither the host nor a component has the class HostLink"])
    }

    @Test("a component may require its own classes")
    func oneself() throws {
        let catalog = try Catalog.make([.make("A", classes: ["L"], requires: ["A", "#L"])])
        #expect(catalog.available == ["A"])
    }

    @Test("an optional requirement that is not met leaves the component as it is")
    func optional() throws {
        let catalog = try Catalog.make([
            .make("A", requires: ["Gone?", "#Gone?", "B?", "C@2.0.0?"]), .make("B", requires: ["Lost"]), .make("C"),
        ])
        #expect(catalog.available == ["A", "C"])
        #expect(
            catalog.limitations == [
                "A without component Gone: no component Gone was found",
                "A without class Gone: neither the host nor a component has the class Gone",
                "A without component B: B → Lost: no component Lost was found",
                "A without component C >=2.0.0 <3.0.0: found C 1.0.0, but >=2.0.0 <3.0.0 is required",
            ])
    }

    @Test("a cycle of requirements is reported completely")
    func cycle() throws {
        let catalog = try Catalog.make([
            .make("A", requires: ["B"]), .make("B", requires: ["C"]), .make("C", requires: ["A"]),
            .make("D", requires: ["B"]), .make("E"),
        ])
        let reason = "the requirements form a cycle; make one of them optional"
        #expect(catalog.available == ["E"])
        #expect(
            catalog.unmet == [
                "A → B → C → A: \(reason)", "B → C → A → B: \(reason)", "C → A → B → C: \(reason)",
                "D → B → C → A → B: \(reason)",
            ])
    }

    @Test("a cycle through an optional requirement is fine")
    func optionalCycle() throws {
        let catalog = try Catalog.make([
            .make("A", requires: ["B"]), .make("B", requires: ["C"]), .make("C", requires: ["A?"]),
        ])
        #expect(catalog.available == ["C", "B", "A"])
        #expect(
            catalog.limitations == ["C without component A: A also requires C, so it is not loaded first"])
    }

    @Test("two components that optionally require each other are ordered by name")
    func optionalPair() throws {
        let catalog = try Catalog.make([.make("B", requires: ["A?"]), .make("A", requires: ["B?"])])
        #expect(catalog.available == ["A", "B"])
        #expect(catalog.limitations.count == 2)
        #expect(catalog.prerequisites(of: "B").isEmpty)
    }

    @Test("two cycles with a common component are both reported")
    func figureEight() throws {
        let catalog = try Catalog.make([
            .make("A", requires: ["B"]), .make("B", requires: ["A", "C"]), .make("C", requires: ["B"]),
        ])
        #expect(catalog.available.isEmpty)
        #expect(catalog.unmet.map { $0.prefix { $0 != ":" } } == ["A → B → A", "B → A → B", "C → B → A → B"])
    }

    @Test("a chain of 5,000 components is ordered; without its end its paths are shortened")
    func longChain() throws {
        let manifests = try (0..<5000).map { try Manifest.make("N\($0)", requires: ["N\($0 + 1)"]) }
        let broken = Catalog.make(manifests)
        #expect(broken.available.isEmpty)
        #expect(broken.unmet.count == 5000)
        #expect(
            broken.unmet.contains {
                $0.hasPrefix("N0 → N1 → N2 → N3 → N4 → N5 → N6 → N7 → … → N4994 →")
                    && $0.hasSuffix("N4999 → N5000: no component N5000 was found")
            })
        let whole = Catalog.make(manifests + [try .make("N5000")])
        #expect(whole.available.first == "N5000" && whole.available.last == "N0")
        #expect(whole.prerequisites(of: "N0").count == 5000)
    }

    @Test("a ring of 5,000 components is one cycle")
    func longRing() throws {
        let manifests = try (0..<5000).map { try Manifest.make("N\($0)", requires: ["N\(($0 + 1) % 5000)"]) }
        let catalog = Catalog.make(manifests)
        #expect(catalog.unmet.count == 5000)
        #expect(catalog.unmet.allSatisfy { $0.contains("the requirements form a cycle") })
    }

    @Test("random requirements are ordered so that each comes after what it depends on", arguments: 0..<20)
    func random(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let count = 40
        let manifests = try (0..<count).map { node in
            let requirements = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                let other = Int.random(in: 0..<count, using: &random)
                // Only optional requirements may refer to later components, so that none is unmet.
                return other < node ? "N\(other)" : "N\(other)?"
            }
            return try Manifest.make("N\(node)", requires: requirements)
        }
        let catalog = Catalog.make(manifests)
        #expect(Set(catalog.available) == Set(manifests.map(\.name)))
        let position = Dictionary(uniqueKeysWithValues: catalog.available.enumerated().map { ($1, $0) })
        for entry in catalog.entries {
            for requirement in entry.manifest.requires where requirement.name != entry.manifest.name {
                let isLeftOut = entry.limitations.contains { $0.requirement == requirement }
                #expect(
                    isLeftOut || position[requirement.name]! < position[entry.manifest.name]!,
                    "\(entry.manifest.name) \(requirement)")
                #expect(requirement.isOptional || !isLeftOut)
            }
        }
    }
}
