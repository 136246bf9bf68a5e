import Testing

@testable import PackageLayers

@Suite("The layer of a target")
struct LayerMapTests {
    private static let kit = SourceTarget.Dependency.product("ComponentKit", package: "HSLink")
    private static let host = SourceTarget.Dependency.product("ComponentHost", package: "HSLink")

    /// The layers of a package, by target.
    private func layers(
        _ targets: [SourceTarget], stating layers: [String: Layer] = [:], packages: [PackageReference] = []
    ) -> [String: Layer] {
        var package = SourcePackage(name: "Studio", targets: targets, dependencies: packages)
        package.statement.layers = layers
        let map = LayerMap(package)
        let pairs = targets.compactMap { target in
            map.placement(ofTarget: target.name).map { (target.name, $0.layer) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test(
        "one target alone",
        arguments: [
            (SourceTarget("A", .executable), .host), (SourceTarget("A"), .common), (SourceTarget("A", .macro), .common),
            (SourceTarget("A", .system), .thirdParty), (SourceTarget("A", .binary), .thirdParty),
            (SourceTarget("A", .test), nil), (SourceTarget("A", .plugin), nil),
            (.component("A"), .component), (.contract("A"), .contract),
            (SourceTarget("A", dependencies: [host]), .host), (.component("A", dependencies: [host]), .component),
            (SourceTarget("ComponentHost"), .host), (SourceTarget("ComponentKit"), .common),
            // A component may offer its own service, and a program may contain a component.
            (SourceTarget("A", files: [.swift("import ComponentKit\n@Component() @LinkService()")]), .component),
            (SourceTarget("A", .executable, files: [.swift("import ComponentKit\n@Component()")]), .host),
            // The attribute of another library.
            (SourceTarget("A", files: [.swift("import Angle\n@Component() struct A {}")]), .common),
            (SourceTarget("A", files: [.swift("import ComponentKit"), .swift("@Component()")]), .component),
            (SourceTarget("A", files: [.c("HSLINK_MANIFEST(\"{}\")")]), .component),
        ] as [(SourceTarget, Layer?)])
    func alone(target: SourceTarget, layer: Layer?) { #expect(layers([target])[target.name] == layer) }

    @Test("a library that uses a part of the host belongs to the host, through others too")
    func hostLibraries() {
        let found = layers([
            SourceTarget("App", .executable, dependencies: [.target("Window")]),
            SourceTarget("Window", dependencies: [.target("Shell")]),
            SourceTarget("Shell", dependencies: [Self.host]),
        ])
        #expect(found == ["App": .host, "Window": .host, "Shell": .host])
    }

    @Test("a library that more components than programs use is common, although it uses the host")
    func sharedLibraries() {
        let shared = [
            SourceTarget("Kit", dependencies: [Self.host]), .component("Film", dependencies: [.target("Kit")]),
            .component("Sound", dependencies: [.target("Kit")]),
        ]
        let app = SourceTarget("App", .executable, dependencies: [.target("Kit"), .target("Shell")])
        #expect(layers(shared)["Kit"] == .common)
        #expect(layers(shared + [app])["Kit"] == .common)
        let shell = [
            SourceTarget("Shell", dependencies: [Self.host]), .component("A", dependencies: [.target("Shell")]),
        ]
        #expect(layers(shell + [app])["Shell"] == .host)
    }

    @Test("an import that the manifest does not state changes no layer")
    func undeclared() {
        #expect(layers([SourceTarget("Kit", files: [.swift("import ComponentHost")])])["Kit"] == .common)
    }

    @Test("what the package states counts first")
    func stated() {
        let targets = [SourceTarget("Kit"), .component("Film"), SourceTarget("Tool", .executable)]
        let found = layers(targets, stating: ["Kit": .base, "Film": .common, "Tool": .thirdParty])
        #expect(found == ["Kit": .base, "Film": .common, "Tool": .thirdParty])
    }

    @Test(
        "products of other packages",
        arguments: [
            ("GRDB", "GRDB.swift", [:], .thirdParty), ("Net", "Tools", [:], .common),
            ("Film", "Tools", [:], .component), ("ComponentKit", "HSLink", [:], .base),
            ("ComponentHost", "HSLink", [:], .host), ("GRDB", nil, [:], .thirdParty),
            ("Film", nil, [:], .component), ("GRDB", "GRDB.swift", ["GRDB": .common], .common),
            ("GRDB", "GRDB.swift", ["grdb.swift": .base], .base), ("Net", "Tools", ["tools": .thirdParty], .thirdParty),
        ] as [(String, String?, [String: Layer], Layer)])
    func products(name: String, package: String?, stated: [String: Layer], layer: Layer) {
        var tools = PackageReference(identity: "tools", isLocal: true)
        tools.products = ["Film": .component]
        var model = SourcePackage(
            name: "Studio", targets: [],
            dependencies: [
                PackageReference(identity: "grdb.swift"), tools, PackageReference(identity: "hslink", name: "HSLink"),
            ])
        model.statement.layers = stated
        #expect(LayerMap(model).placement(of: .product(name, package: package))?.layer == layer)
    }
}

extension SourceTarget {
    /// A target that declares a component.
    static func component(_ name: String, dependencies: [Dependency] = [], files: [File] = []) -> SourceTarget {
        let own = File.swift(
            "import ComponentKit\n@Component(version: \"1.0.0\")\nstruct A {}", path: "\(name)/main.swift")
        return SourceTarget(name, dependencies: dependencies, files: [own] + files)
    }

    /// A target that declares a service.
    static func contract(_ name: String, dependencies: [Dependency] = [], files: [File] = []) -> SourceTarget {
        let own = File.swift("import ComponentKit\n@LinkService(\"a/1\") protocol A {}", path: "\(name)/service.swift")
        return SourceTarget(name, dependencies: dependencies, files: [own] + files)
    }
}

extension SourceTarget.File {
    static func swift(_ text: String, path: String = "a.swift") -> SourceTarget.File {
        SourceTarget.File(path: path, facts: SourceFacts(swift: Array(text.utf8)))
    }

    static func c(_ text: String) -> SourceTarget.File {
        SourceTarget.File(path: "a.c", facts: SourceFacts(c: Array(text.utf8)))
    }
}
