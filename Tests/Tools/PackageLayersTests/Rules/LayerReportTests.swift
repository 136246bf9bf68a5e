import Testing

@testable import PackageLayers

@Suite("Dependencies that break the order of the layers")
struct LayerReportTests {
    /// A package with a target in each layer. `body` changes it.
    private func report(_ body: (inout SourcePackage) -> Void = { _ in }) -> LayerReport {
        let kit = SourceTarget.Dependency.product("ComponentKit", package: "HSLink")
        let grdb = SourceTarget.Dependency.product("GRDB", package: "GRDB.swift")
        var package = SourcePackage(
            name: "Studio",
            targets: [
                SourceTarget(
                    "App", .executable,
                    dependencies: [
                        .target("Shell"), .target("FilmContract"),
                        .product("ArgumentParser", package: "swift-argument-parser"),
                    ]),
                SourceTarget("Shell", dependencies: [.product("ComponentHost", package: "HSLink")]),
                .component(
                    "Film", dependencies: [.target("FilmContract"), .target("NXStorage"), .target("NXKit"), kit]),
                .component("Sound", dependencies: [.target("FilmContract"), .target("NXKit"), kit]),
                .contract("FilmContract", dependencies: [kit]),
                .contract("MusicContract", dependencies: [.target("FilmContract"), .target("NXKit"), kit]),
                SourceTarget("NXKit"),
                SourceTarget("NXStorage", dependencies: [.target("NXKit"), grdb]),
                SourceTarget("CDisc", .system),
                SourceTarget("FilmTests", .test, dependencies: [.target("Film"), .target("Shell"), grdb]),
            ],
            dependencies: [
                PackageReference(identity: "hslink", name: "HSLink", isLocal: true),
                PackageReference(identity: "grdb.swift"), PackageReference(identity: "swift-argument-parser"),
            ])
        body(&package)
        return LayerReport(package)
    }

    @Test("a package in order has no findings") func none() {
        let report = report()
        #expect(report.findings.map(\.line) == [])
        #expect(report.arrows.allSatisfy { $0.fault == nil })
        #expect(report.arrows.contains { $0.from == "Film" && $0.to == .target("NXKit") })
        // Tests are in no layer.
        #expect(!report.arrows.contains { $0.from == "FilmTests" })
    }

    @Test(
        "an import in the wrong direction is found where it stands",
        arguments: [
            (
                "Film", "ComponentHost", .upward,
                "Film (component) imports ComponentHost (host): a component must not depend on its host"
            ),
            (
                "Film", "Shell", .upward,
                "Film (component) imports Shell (host): a component must not depend on its host"
            ),
            ("NXKit", "Film", .upward, "NXKit (common) imports Film (component): a lower layer must not"),
            ("NXKit", "Shell", .upward, "NXKit (common) imports Shell (host): a lower layer must not"),
            ("NXKit", "App", .upward, "NXKit (common) imports App (host): a lower layer must not"),
            ("FilmContract", "ComponentHost", .upward, "FilmContract (contract) imports ComponentHost (host)"),
            (
                "Sound", "Film", .sideways,
                "components use each other through contracts only; import FilmContract instead"
            ),
            ("Film", "Sound", .sideways, "declare what it needs as a @LinkService protocol in a target of its own"),
            ("FilmContract", "Film", .sideways, "a contract must not depend on a component; move the protocol"),
            (
                "Film", "GRDB", .thirdParty,
                "Film (component) imports GRDB (third party): third-party code belongs in the common layer; wrap it in a target of the common layer, such as NXStorage, and import"
            ),
            ("Film", "ArgumentParser", .thirdParty, "wrap it in a target of the common layer and import"),
            ("Film", "CDisc", .thirdParty, "Film (component) imports CDisc (third party)"),
            ("FilmContract", "GRDB", .thirdParty, "FilmContract (contract) imports GRDB (third party)"),
        ] as [(String, String, LayerFinding.Kind, String)])
    func faults(target: String, module: String, kind: LayerFinding.Kind, message: String) throws {
        // Whether the manifest states the dependency makes no difference, except for the layer of libraries.
        for isStated in [false, true] where !isStated || target != "NXKit" {
            let report = report { package in
                package.targets[name: target].files.append(.swift("import Glibc\nimport \(module)\n", path: "x.swift"))
                guard isStated else { return }
                let isTarget = package.targets.contains { $0.name == module }
                package.targets[name: target].dependencies.append(
                    isTarget ? .target(module) : .product(module, package: nil))
            }
            let finding = try #require(report.findings.first)
            #expect(report.findings.count == 1, "\(report.findings)")
            #expect(finding.kind == kind)
            #expect(finding.line.hasPrefix("x.swift:2:8: warning: "), "\(finding.line)")
            #expect(finding.message.contains(message), "\(finding.message)")
            #expect(report.arrows.filter { $0.fault == kind }.map(\.from) == [target])
        }
    }

    @Test("a dependency that no file imports is found in the manifest")
    func declared() throws {
        let report = report { package in
            package.manifestPath = "p/Package.swift"
            package.manifest = Array(
                """
                // "Sound" "Film"
                let other = ["Film"]
                .target(name: "Sound", dependencies: ["NXKit",
                    "Film"])
                """.utf8)
            package.targets[name: "Sound"].dependencies.append(.target("Film"))
        }
        #expect(
            report.findings.map(\.line) == [
                "p/Package.swift:4:5: warning: Sound (component) depends on Film (component): components use each other "
                    + "through contracts only; import FilmContract instead"
            ])
    }

    @Test("a declared product is found even if its modules have other names, and a computed name has no place")
    func computed() {
        let report = report { package in
            package.targets[name: "Film"].dependencies.append(.product("Collections", package: "swift-collections"))
            package.targets[name: "Film"].files.append(.swift("import DequeModule"))
        }
        #expect(report.findings.map(\.kind) == [.thirdParty])
        #expect(
            report.findings.first?.line.hasPrefix("Package.swift:1:1: warning: Film (component) depends on ") == true)
    }

    @Test(
        "an import that the manifest does not state",
        arguments: [
            ("App", "NXKit", #"add "NXKit" to the dependencies of App"#),
            ("App", "GRDB", #"add .product(name: "GRDB", package: "GRDB.swift") to the dependencies of App"#),
            ("FilmTests", "NXStorage", #"add "NXStorage" to the dependencies of FilmTests"#),
        ])
    func undeclared(target: String, module: String, advice: String) throws {
        let report = report { $0.targets[name: target].files.append(.swift("@testable import \(module)")) }
        #expect(report.findings.map(\.kind) == [.undeclared])
        let finding = try #require(report.findings.first)
        #expect(
            finding.line
                == "a.swift:1:18: warning: \(target) imports \(module), but the manifest does not state this dependency; "
                + advice)
    }

    @Test("modules of the system, of unknown products and of the target itself are not checked")
    func unknown() {
        let report = report { package in
            package.targets[name: "Film"].files.append(
                .swift("import Foundation\nimport Film\nimport Testing\nimport FilmTests\nimport SomethingElse"))
        }
        #expect(report.findings == [])
    }

    @Test("a module is known by the alias that the manifest gives it, and by the identifier of its target")
    func names() {
        let report = report { package in
            package.targets.append(.component("film-club", dependencies: package.targets[name: "Film"].dependencies))
            package.targets[name: "Film"].files.append(.swift("import film_club", path: "b.swift"))
            package.targets[name: "NXStorage"].dependencies.append(
                .product("Net", package: "swift-net", aliases: ["Net": "OtherNet"]))
            package.targets[name: "Sound"].files.append(.swift("import OtherNet\nimport Net", path: "c.swift"))
        }
        #expect(report.findings.map(\.kind) == [.sideways, .thirdParty])
        #expect(report.findings.map(\.dependency) == ["film-club", "Net"])
    }

    @Test(
        "an exception accepts one dependency of one target, by module, product or package",
        arguments: [
            "GRDB", "GRDB.swift", "grdb.swift",
        ])
    func exceptions(name: String) throws {
        let report = report { package in
            for target in ["Film", "Sound"] {
                package.targets[name: target].files.append(.swift("import GRDB", path: "\(target).swift"))
            }
            package.statement.exceptions = [.init(target: "Film", uses: name, reason: "its own tables")]
        }
        #expect(report.findings.map(\.path) == ["Sound.swift"])
        #expect(report.arrows.compactMap(\.exception) == ["its own tables"])
    }

    @Test("entries without effect are reported, but not exceptions of a component that was removed")
    func needless() {
        let report = report { package in
            package.statement.bytes = Array(
                """
                {"layers": {"NXKti": "common"},
                 "exceptions": [{"target": "Film", "uses": "GRDB", "reason": "a"}]}
                """.utf8)
            package.statement.path = ".layers.json"
            package.statement.layers = ["NXKti": .common, "grdb.swift": .thirdParty, "ComponentKit": .base]
            package.statement.exceptions = [
                .init(target: "Film", uses: "GRDB", reason: "a"), .init(target: "Gone", uses: "GRDB", reason: "a"),
            ]
        }
        #expect(
            report.findings.map(\.line) == [
                #".layers.json:1:13: warning: a layer is stated for "NXKti", but the package has no target, product or "#
                    + #"package with this name; did you mean "NXKit"?"#,
                ".layers.json:2:44: warning: Film does not break a rule by using GRDB; remove the exception",
            ])
    }

    @Test("a layer that the package states makes the finding precise, and the note says where the layer comes from")
    func base() throws {
        let report = report { package in
            package.statement.layers = ["NXKit": .base]
            package.statement.bytes = Array(#"{"layers": {"NXKit": "base"}}"#.utf8)
            package.targets[name: "NXKit"].files.append(.swift("import FilmContract\nimport NXStorage"))
        }
        #expect(report.findings.map(\.kind) == [.upward, .upward])
        #expect(report.findings[1].message.hasPrefix("NXKit (base) imports NXStorage (common): a lower layer"))
        #expect(
            report.findings[0].note
                == "FilmContract/service.swift:2:1: note: FilmContract belongs to the layer contract, because it declares "
                + "a service")
        #expect(report.findings[1].note == nil)
    }

    @Test(
        "a component may use the contract of one with the same or a lower declared layer only",
        arguments: [
            ("weakBusiness", "business", true), ("common", "weakBusiness", true), ("business", "business", false),
            ("business", "weakBusiness", false), ("business", "host", true),
        ])
    func declaredLayers(user: String, provider: String, isFinding: Bool) throws {
        func file(_ layer: String, _ rest: String, _ path: String) -> SourceTarget.File {
            .swift("import ComponentKit\n@Component(version: \"1.0.0\", layer: .\(layer))\n\(rest)", path: path)
        }
        let report = report { package in
            package.targets[name: "Film"].files = [file(provider, "@LinkClass(provides: (any A).self)", "film.swift")]
            package.targets[name: "Sound"].files = [file(user, "import FilmContract", "sound.swift")]
        }
        #expect(report.findings.map(\.kind) == (isFinding ? [.upward] : []))
        guard isFinding else { return }
        let finding = try #require(report.findings.first)
        #expect(
            finding.line
                == "sound.swift:3:8: warning: Sound (\(user)) imports FilmContract, the contract of Film (\(provider)): a "
                + "component must not use one of a higher declared layer; let Film call Sound instead")
        #expect(finding.note == "film.swift:2:1: note: Film declares its layer here")
    }

    @Test(
        "a component that declares the common layer may wrap third-party code",
        arguments: [("base", false), ("common", false), ("weakBusiness", true), ("business", true), (nil, true)]
            as [(String?, Bool)])
    func wrapper(layer: String?, isFinding: Bool) {
        let report = report { package in
            let declaration = "@Component(version: \"1.0.0\"\(layer.map { ", layer: .\($0)" } ?? ""))"
            package.targets[name: "Film"].dependencies.append(.product("GRDB", package: "GRDB.swift"))
            package.targets[name: "Film"].files = [
                .swift("import ComponentKit\nimport GRDB\n\(declaration)\nstruct Film {}", path: "film.swift")
            ]
        }
        #expect(report.findings.map(\.kind) == (isFinding ? [.thirdParty] : []))
    }

    @Test("what could not be read is reported")
    func unread() {
        let report = report {
            $0.targets[name: "Film"].problems = [("Sources/Film/a.swift", "it is larger than 16 MB")]
        }
        #expect(
            report.findings.map(\.line) == [
                "Sources/Film/a.swift:1:1: warning: it is larger than 16 MB; its imports were not checked"
            ])
    }

    @Test("text from files cannot break the lines of a report")
    func hostile() {
        let report = report { package in
            package.targets.append(
                .component("Film\n\u{1B}[31m", dependencies: package.targets[name: "Film"].dependencies))
            package.targets[name: "Film"].dependencies.append(.target("Film\n\u{1B}[31m"))
        }
        #expect(report.findings.count == 1)
        #expect(report.findings.allSatisfy { !$0.line.contains("\n") && !$0.line.contains("\u{1B}") })
    }
}

extension [SourceTarget] {
    /// The target with a name that is among them.
    subscript(name name: String) -> SourceTarget {
        get { first { $0.name == name } ?? SourceTarget(name) }
        set {
            guard let index = firstIndex(where: { $0.name == name }) else {
                Issue.record("there is no target \(name)")
                return
            }
            self[index] = newValue
        }
    }
}
