import Testing

@testable import ComponentCatalog

@Suite("Required services and selectors")
struct ServiceDemandTests {
    private static let selector = #"{"name": "a", "parameters": {"p": "String"}}"#
    private static let drifted = #"{"name": "a", "parameters": {"p": "Int"}}"#

    private func provider(_ name: String, _ version: String = "1.0.0", requires: String = "") throws -> Manifest {
        var manifest = try Manifest.providing(Self.selector, name: name, version: version)
        manifest.requires = try Manifest.using("", requires: requires).requires
        return manifest
    }

    private func consumer(_ requires: String = #"{"service": "com.x/1"}"#, name: String = "User") throws -> Manifest {
        try Manifest.using(Self.selector, name: name, requires: requires)
    }

    @Test("a required service is a requirement on the component that is chosen for it")
    func order() throws {
        // Ordered by name, the consumer would come first.
        let catalog = Catalog.make([try consumer(name: "A"), try provider("B")])
        #expect(catalog.available == ["B", "A"])
        #expect(catalog.prerequisites(of: "A").map(\.manifest.name) == ["B"])
    }

    @Test("an optional service does not affect the order, and makes no cycle")
    func optional() throws {
        let optional = #"{"service": "com.x/1", "optional": true}"#
        let catalog = Catalog.make([
            try consumer(optional, name: "A"), try provider("B", requires: #"{"component": "A"}"#),
        ])
        #expect(catalog.available == ["A", "B"])
        #expect(catalog.limitations == [])
    }

    @Test("a missing provider is a reason, also for an optional service")
    func nobody() throws {
        let reason = "neither the host nor a component provides the service com.x/1"
        #expect(Catalog.make([try consumer()]).unmet == ["User → com.x/1: \(reason)"])
        let optional = try consumer(#"{"service": "com.x/1", "optional": true}"#)
        #expect(Catalog.make([optional]).limitations == ["User without service com.x/1: \(reason)"])
    }

    @Test("an incompatible provider is a reason, with both sides")
    func difference() throws {
        let other = try Manifest.providing(Self.drifted, name: "P", version: "2.0.0")
        let reason = "P 2.0.0 provides it in an incompatible form: a.parameters.p: different type (p: String / p: Int)"
        #expect(Catalog.make([try consumer(), other]).unmet == ["User → com.x/1: \(reason)"])
        // A compatible older version is chosen.
        let catalog = Catalog.make([try consumer(), other, try provider("Q")])
        #expect(catalog.prerequisites(of: "User").map(\.manifest.name) == ["Q"])
    }

    @Test("the highest version is chosen, then the one found first", arguments: [("1.0.0", "P"), ("1.1.0", "Q")])
    func choice(version: String, chosen: String) throws {
        let catalog = Catalog.make([try consumer(), try provider("P"), try provider("Q", version)])
        #expect(catalog.prerequisites(of: "User").map(\.manifest.name) == [chosen])
    }

    @Test("a provider with unmet requirements is skipped")
    func passedOver() throws {
        let broken = try provider("P", "3.0.0", requires: #"{"component": "Gone"}"#)
        #expect(
            Catalog.make([try consumer(), broken]).unmet == [
                "P → Gone: no component Gone was found", "User → P → Gone: no component Gone was found",
            ])
        let catalog = Catalog.make([try consumer(), broken, try provider("Q")])
        #expect(catalog.available == ["Q", "User"])
        #expect(catalog.prerequisites(of: "User").map(\.manifest.name) == ["Q"])
    }

    @Test("a required service can cause a cycle; another provider resolves it")
    func cycle() throws {
        let inTurn = try provider("P", "2.0.0", requires: #"{"component": "User"}"#)
        let unmet = Catalog.make([try consumer(), inTurn]).unmet
        #expect(unmet.count == 2)
        #expect(unmet.allSatisfy { $0.contains("the requirements form a cycle") })
        #expect(Catalog.make([try consumer(), inTurn, try provider("Q")]).available == ["Q", "User", "P"])
    }

    @Test("a class that another component owns provides nothing")
    func takenClass() throws {
        var second = try provider("Q", "2.0.0")
        let other = try #require(second.classes.first)
        second.classes = [ClassDeclaration(name: "PLink", provides: other.provides, selectors: other.selectors)]
        let first = try ManifestAssembly.manifest(
            #"{"name": "P", "version": "1.0.0", "classes": [{"name": "PLink"}]}"#)
        #expect(
            Catalog.make([first, second, try consumer()]).unmet == [
                "User → com.x/1: Q 2.0.0 provides it with the class PLink, which belongs to another component or to the host"
            ])
    }

    @Test("the host comes first, with the contract that the program was compiled with")
    func host() throws {
        func host(_ selector: String) throws -> HostDeclaration {
            let manifest = try Manifest.providing(selector, name: "Own")
            return HostDeclaration(classes: manifest.classes, contract: manifest.contract)
        }
        let fitting = Catalog.make([try consumer(), try provider("P")], host: try host(Self.selector))
        #expect(fitting.prerequisites(of: "User").isEmpty)
        let drifted = Catalog.make([try consumer(), try provider("P")], host: try host(Self.drifted))
        #expect(drifted.prerequisites(of: "User").map(\.manifest.name) == ["P"])
    }

    @Test("required selectors are looked for in the class")
    func selectors() throws {
        let owner = try ManifestAssembly.manifest(
            #"{"name": "P", "version": "1.0.0", "classes": [{"name": "L", "selectors": [{"name": "a"}]}]}"#)
        func unmet(_ selectors: String) throws -> [String] {
            Catalog.make([owner, try consumer(#"{"class": "L", "selectors": [\#(selectors)]}"#)]).unmet
        }
        #expect(try unmet(#""a""#) == [])
        #expect(
            try unmet(#""a", "+a", "b""#) == ["User → L: the class L of P has no selector +a, b"])
        let declaration = try #require(owner.classDeclaration("L"))
        let catalog = Catalog.make(
            [try consumer(#"{"class": "L", "selectors": ["b"], "optional": true}"#)],
            host: HostDeclaration(classes: [declaration]))
        #expect(catalog.limitations == ["User without class L with b: the class L of the host has no selector b"])
    }

    @Test("all unmet requirements are reported")
    func all() throws {
        let catalog = Catalog.make([
            try consumer(#"{"service": "com.x/1"}, {"class": "L"}, {"component": "C"}, {"component": "B"}"#),
            try ManifestAssembly.manifest(#"{"name": "B", "version": "1.0.0", "requires": [{"component": "Gone"}]}"#),
        ])
        #expect(
            catalog.unmet.last == "User → com.x/1: neither the host nor a component provides the service com.x/1; "
                + "User → L: neither the host nor a component has the class L; "
                + "User → C: no component C was found; User → B → Gone: no component Gone was found")
    }

    @Test("ninety-nine broken providers are skipped one after the other")
    func many() throws {
        var manifests = [try consumer()]
        for index in 0..<100 {
            manifests.append(try provider("P\(index)", "2.0.\(index)", requires: #"{"component": "Gone"}"#))
        }
        manifests.append(try provider("Last"))
        #expect(Catalog.make(manifests).prerequisites(of: "User").map(\.manifest.name) == ["Last"])
    }
}
