// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

/// Returns the names of the folders in `path`. Each is a component or a contract.
func folders(in path: String) -> [String] {
    let found = try? FileManager.default.contentsOfDirectory(
        at: root.appending(path: path), includingPropertiesForKeys: [.isDirectoryKey])
    return (found ?? []).filter(\.hasDirectoryPath).map(\.lastPathComponent).sorted()
}

/// Returns the library descriptions and the directory of resources next to a component's sources, which hosts read and
/// SwiftPM must ignore.
func filesOfHosts(in path: String) -> [String] {
    let found = try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: path).path)
    return (found ?? []).filter { $0.hasSuffix(".hslink.json") || $0.hasSuffix(".resources") }.sorted()
}

/// Returns the target of a component. Components are authors' code: like those of other packages, they have no access to
/// what is declared `package` in the libraries.
func component(_ name: String, path: String, dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: ["ComponentKit"] + dependencies, path: path, exclude: filesOfHosts(in: path),
        packageAccess: false,
        linkerSettings: [
            .unsafeFlags(["-Xlinker", "--version-script=\(root.path)/Sources/Boundary/CHSLink/\(symbolMap)"])
        ])
}

/// The version script that leaves hslink_component as the only exported symbol of a component's file. The linker also
/// applies it to executables that a component is linked into, where a sanitizer needs its own symbols exported.
let symbolMap = Context.environment["HSLINK_SANITIZE"] == nil ? "component.map" : "component-sanitized.map"

/// The components. Each is a folder in Plugins/, and adding or deleting one needs no other change.
let plugins = folders(in: "Plugins")
/// The protocols and models through which components offer services. A contract is separate from its provider, so that
/// consumers still build when the provider is deleted.
let contracts = folders(in: "Sources/Application/Contracts")
/// Conditions for dependencies that only some users of the package need.
let commandLine = TargetDependencyCondition.when(traits: ["CommandLine"])
let samples = TargetDependencyCondition.when(traits: ["Samples"])
let configuration = TargetDependencyCondition.when(traits: ["CommandLine", "Configuration"])
let lifecycle = TargetDependencyCondition.when(traits: ["CommandLine", "ServiceLifecycle"])
let either = TargetDependencyCondition.when(traits: ["CommandLine", "Samples"])
/// SQLite.
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift", condition: samples)
/// The dependencies of components besides ComponentKit, NXKit and their own contracts. Entries of deleted components
/// have no effect.
let needs: [String: [Target.Dependency]] = [
    "EMAccount": [
        "NXStorage", "PageKit", grdb, .product(name: "Crypto", package: "swift-crypto", condition: either),
        .product(name: "CryptoExtras", package: "swift-crypto", condition: either),
    ],
    "ComponentConsole": ["HostContract", "PageKit"],
    "ComponentImage": ["NXServiceContract", "NXUIContract", "PageKit"],
    "ComponentPages": ["HostContract", "PageKit"],
    "ComponentOwner": [
        "NXStorage", "EMAccountContract", "NXUIContract", "PageKit", grdb,
        .product(name: "Crypto", package: "swift-crypto", condition: either),
    ],
    "ComponentVideo": ["PageKit"],
    "ComponentWeb": [
        "HostContract", "NXUIContract", "PageKit", "Routing",
        .product(name: "Crypto", package: "swift-crypto", condition: either),
        .product(name: "CryptoExtras", package: "swift-crypto", condition: either),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: samples),
        .product(name: "Hummingbird", package: "hummingbird", condition: samples),
        .product(name: "HummingbirdCore", package: "hummingbird", condition: samples),
        .product(name: "HummingbirdHTTP2", package: "hummingbird", condition: samples),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio", condition: either),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: either),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: samples),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: samples),
        .product(name: "NIOPosix", package: "swift-nio", condition: either),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: samples),
    ],
    "NXUI": ["PageKit"],
    "NXService": [
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: samples),
        .product(name: "Crypto", package: "swift-crypto", condition: either),
        .product(name: "NIOCore", package: "swift-nio", condition: either),
        .product(name: "NIOPosix", package: "swift-nio", condition: either),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: either),
        .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: samples),
    ],
]

/// Returns the contract of a component; empty if it has none.
func contract(of name: String) -> [Target.Dependency] {
    contracts.filter { $0 == "\(name)Contract" }.map { .target(name: $0) }
}

/// Components for the tests and benchmarks, which load them and link them in.
let fixtures = ["BenchComponent", "FixtureComponent", "NightUI"]

let syntax: [Target.Dependency] = [
    .product(name: "SwiftSyntax", package: "swift-syntax"),
    .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
    .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
    .product(name: "SwiftParser", package: "swift-syntax"),
    .product(name: "SwiftDiagnostics", package: "swift-syntax"),
]

let package = Package(
    name: "HSLink",
    products: [
        .library(name: "ComponentKit", targets: ["ComponentKit"]),
        .library(name: "ComponentHost", targets: ["ComponentHost"]),
        .library(name: "HostContract", targets: ["HostContract"]),
        .library(name: "PageKit", targets: ["PageKit"]),
        .library(name: "Routing", targets: ["Routing"]),
        .executable(name: "hslink", targets: ["hslink"]),
        .executable(name: "hslink-models", targets: ["hslink-models"]),
        .plugin(name: "CheckModels", targets: ["CheckModels"]),
    ] + contracts.map { .library(name: $0, targets: [$0]) }
        + (plugins + fixtures).map { .library(name: $0, type: .dynamic, targets: [$0]) },
    // Dependencies that only some users of the package need. With `traits: []`, SwiftPM does not fetch them.
    traits: [
        .trait(name: "CommandLine", description: "hslink, and the control channel of a long-lived host"),
        .trait(name: "Samples", description: "the components in Plugins/"),
        .trait(name: "ServiceLifecycle", description: "LinkHost as a service of swift-service-lifecycle"),
        .trait(name: "Configuration", description: "the configuration of components, from files and the environment"),
        .default(enabledTraits: ["CommandLine", "Configuration", "Samples", "ServiceLifecycle"]),
    ],
    dependencies: [
        // The implementation of the macros.
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        // The command line.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The host's log.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // The control channel of a long-lived host.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // Start and orderly stop of a long-lived host.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // The configuration of components.
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        // Configurations in YAML.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // The texts that calls carry along, and a span per call if the application traces.
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        // What a host counts of calls, for the application's metrics.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // SHA-256 for `hslink inspect`, scrypt for passwords.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // HTTP for components.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        // The web server of ComponentWeb.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        // The databases of components.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "CHSLink"),
        .target(name: "CGlibc"),
        .target(name: "CHostThread"),
        .target(name: "CDeclarations"),
        // Linked into every component through ComponentKit, so it imports only the C library.
        .target(name: "SystemSupport", dependencies: ["CGlibc"]),
        .systemLibrary(name: "CFFI", pkgConfig: "libffi", providers: [.apt(["libffi-dev"])]),
        // Apart from SystemSupport, since neither components nor hosts run programs.
        .target(name: "ProgramRunning", dependencies: ["SystemSupport"]),
        .target(name: "HeaderImport", dependencies: ["CDeclarations", "ProgramRunning", "SystemSupport"]),
        .target(name: "ManifestRules"),
        .target(name: "PackageLayers", dependencies: ["ManifestRules", "ProgramRunning", "SystemSupport"]),
        .target(name: "Routing", dependencies: ["SystemSupport"]),
        .macro(
            name: "ComponentMacros",
            dependencies: ["ManifestRules", "Routing"] + syntax + [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax")
            ]),
        .target(
            name: "ComponentKit",
            dependencies: [
                "CGlibc", "CHSLink", "ComponentMacros", "Routing", "SystemSupport",
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
            ]),
        .target(name: "PageKit", dependencies: ["ComponentKit", "ComponentMacros", "Routing", "SystemSupport"]),
        // What every host provides itself, so it is not among the contracts of the sample components.
        .target(name: "HostContract", dependencies: ["ComponentKit"]),
        .target(
            name: "ForeignFunctions",
            dependencies: [
                "CDeclarations", "CFFI", "CGlibc", "CHSLink", "ComponentKit", "ManifestRules", "SystemSupport",
            ]),
        // Apart from ComponentHost, since what reads component files need not run any.
        .target(
            name: "ComponentCatalog",
            dependencies: ["CGlibc", "CHSLink", "ComponentKit", "ManifestRules", "Routing", "SystemSupport"]),
        .target(
            name: "ComponentHost",
            dependencies: [
                "CGlibc", "CHostThread", "CHSLink", "ComponentCatalog", "ComponentKit", "ForeignFunctions",
                "HostContract", "ManifestRules", "Routing", "SystemSupport",
                .product(name: "Configuration", package: "swift-configuration", condition: configuration),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: lifecycle),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Yams", package: "Yams", condition: configuration),
            ]),
        .target(
            name: "HostControl",
            dependencies: [
                "CGlibc", "ComponentHost", "ComponentKit", "HostContract", "SystemSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio", condition: commandLine),
                .product(name: "NIOPosix", package: "swift-nio", condition: commandLine),
            ]),
        .executableTarget(
            name: "hslink",
            dependencies: [
                "CGlibc",
                "CHSLink",
                "ComponentHost",
                "ComponentKit",
                "ForeignFunctions",
                "HeaderImport",
                "HostContract",
                "HostControl",
                "ManifestRules",
                "PackageLayers",
                "PageKit",
                "ProgramRunning",
                "Routing",
                "SystemSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: commandLine),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Crypto", package: "swift-crypto", condition: either),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: commandLine),
            ]),
        .target(
            name: "ModelDrift",
            dependencies: [
                "SystemSupport",
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ]),
        .executableTarget(
            name: "hslink-models",
            dependencies: [
                "ModelDrift",
                "SystemSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: commandLine),
            ]),
        .plugin(
            name: "CheckModels",
            capability: .command(
                intent: .custom(
                    verb: "check-models",
                    description: "Warns when the copies of a model in different modules differ.")),
            // SwiftPM looks for plugins in Plugins, where the components are.
            dependencies: ["hslink-models"], path: "Sources/Tools/CheckModelsPlugin"),
        .target(name: "NXKit", dependencies: ["ComponentKit", "ManifestRules", "SystemSupport"]),
        .target(name: "NXStorage", dependencies: ["ComponentKit", "SystemSupport", grdb]),
        .target(name: "TestSupport", dependencies: ["ComponentKit"], path: "Tests/TestSupport"),
        .target(
            name: "HostTestSupport",
            dependencies: [
                "ComponentHost", "ComponentKit", "PageKit", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio", condition: either),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: either),
                .product(name: "NIOPosix", package: "swift-nio", condition: either),
            ],
            path: "Tests/HostTestSupport"),
        component(
            "FixtureComponent", path: "Tests/Fixtures/FixtureComponent",
            dependencies: [
                "FixtureContract", "HostContract", "PageKit",
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
            ]),
        component("NightUI", path: "Tests/Fixtures/NightUI", dependencies: ["NXUIContract"]),
        .target(name: "FixtureContract", dependencies: ["ComponentKit"], path: "Tests/Fixtures/FixtureContract"),
        component(
            "BenchComponent", path: "Tests/Benchmarks/BenchComponent", dependencies: ["BenchContract", "PageKit"]),
        .target(name: "BenchContract", dependencies: ["ComponentKit"], path: "Tests/Benchmarks/BenchContract"),
        .target(name: "CAllocations", path: "Tests/Benchmarks/CAllocations"),
        // A helper process for tests: it is killed while writing, locks a file, or fills a disk.
        .executableTarget(
            name: "storage-driver",
            dependencies: ["ComponentHost", "ComponentKit", grdb, .product(name: "Logging", package: "swift-log")],
            path: "Tests/StorageDriver"),
        .executableTarget(
            name: "hslink-bench",
            dependencies: [
                "BenchContract", "CAllocations", "CFFI", "ComponentHost", "ComponentKit", "HostControl", "PageKit",
                "Routing",
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Benchmarks/Bench"),
        .executableTarget(
            name: "web-baseline",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird", condition: samples),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio", condition: either),
                .product(name: "NIOPosix", package: "swift-nio", condition: either),
            ],
            path: "Tests/Benchmarks/WebBaseline"),
    ]
        + plugins.map { name in
            component(
                name, path: "Plugins/\(name)", dependencies: ["NXKit"] + contract(of: name) + (needs[name] ?? []))
        }
        + contracts.map { name in
            .target(
                name: name, dependencies: ["ComponentKit"], path: "Sources/Application/Contracts/\(name)",
                packageAccess: false)
        }
)

/// The components with tests. The tests of a deleted component are not built.
let pluginTests = plugins.filter { folders(in: "Tests/Plugins").contains("\($0)Tests") }
package.targets +=
    [
        .testTarget(
            name: "ComponentMacrosTests",
            dependencies: [
                "ComponentCatalog", "ComponentHost", "ComponentKit", "ManifestRules", "Routing", "TestSupport",
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
            ] + syntax,
            // The folder Macros is a link to Sources/Authoring/ComponentMacros. If a test target depended on the macro
            // itself, SwiftPM would build all tests as tools, and so compile every dependency twice.
            exclude: ["Macros/Plugin.swift"]),
        .testTarget(name: "SystemSupportTests", dependencies: ["SystemSupport", "TestSupport"]),
        .testTarget(
            name: "RoutingTests", dependencies: ["Routing", "TestSupport"], exclude: ["router-cases.json"]),
        .testTarget(name: "RepositoryTests", dependencies: ["TestSupport"]),
        .testTarget(name: "CDeclarationsTests", dependencies: ["CDeclarations", "TestSupport"]),
        .testTarget(name: "HeaderImportTests", dependencies: ["CDeclarations", "HeaderImport", "TestSupport"]),
        .testTarget(name: "ComponentKitTests", dependencies: ["CHSLink", "ComponentKit", "TestSupport"]),
        .testTarget(name: "PageKitTests", dependencies: ["ComponentKit", "PageKit", "TestSupport"]),
        .testTarget(
            name: "ComponentCatalogTests",
            dependencies: ["CHSLink", "ComponentCatalog", "ComponentKit", "Routing", "TestSupport"]),
        .testTarget(
            name: "ComponentHostTests",
            dependencies: [
                "CHSLink", "ComponentCatalog", "ComponentHost", "ComponentKit", "FixtureComponent", "FixtureContract",
                "HostContract", "PageKit", "Routing", "SystemSupport", "TestSupport",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .testTarget(
            name: "ForeignFunctionsTests",
            dependencies: [
                "CDeclarations", "CFFI", "CHSLink", "ComponentHost", "ComponentKit", "ForeignFunctions", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "HostControlTests",
            dependencies: [
                "ComponentHost", "ComponentKit", "HostContract", "HostControl", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(name: "PackageLayersTests", dependencies: ["PackageLayers", "TestSupport"]),
        .testTarget(
            name: "HSLinkCommandTests",
            dependencies: [
                "ComponentHost", "ComponentKit", "HostContract", "HostControl", "PageKit", "SystemSupport", "hslink",
                "TestSupport",
            ]),
        .testTarget(name: "ModelDriftTests", dependencies: ["ModelDrift", "TestSupport", "hslink-models"]),
        .testTarget(name: "NXKitTests", dependencies: ["ComponentKit", "NXKit", "TestSupport"]),
        .testTarget(
            name: "NXStorageTests",
            dependencies: ["ComponentKit", "NXStorage", "TestSupport", "storage-driver", grdb]),
    ]
    + pluginTests.map { name in
        .testTarget(
            name: "\(name)Tests",
            dependencies: [
                "ComponentHost", "ComponentKit", "HostTestSupport", "NXKit", "TestSupport", .target(name: name),
                .product(name: "Logging", package: "swift-log"),
            ]
                + contract(of: name) + (needs[name] ?? []))
    }

// A target without a path of its own is in one of the wings of Sources, and its tests in the same wing of Tests. SwiftPM
// itself looks in Sources and in Tests only.
for target in package.targets where target.path == nil {
    let top = target.type == .test ? "Tests" : "Sources"
    target.path = folders(in: top).map { "\(top)/\($0)/\(target.name)" }
        .first { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
}

/// The settings of every Swift target. MemberImportVisibility (SE-0444) is not among them: the C modules Glibc and CDispatch
/// both have the types of the system's headers, and the compiler takes such a type from the one that it has read first.
/// Which one that is depends on the files that it compiles together, so a file that imports Glibc only, or Dispatch, was
/// refused the members of `stat` in one build and had them in the next.
let swiftSettings: [SwiftSetting] = [
    // SE-0335: existential types are written with `any`.
    .enableUpcomingFeature("ExistentialAny"),
    // SE-0409: imports are internal by default.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // SE-0461: asynchronous functions run on their caller's executor.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // SE-0458: memory-unsafe expressions are marked `unsafe`.
    .strictMemorySafety(),
    // SE-0443: warnings are errors.
    .treatAllWarnings(as: .error),
]
let others: Set = ["CAllocations", "CFFI", "CGlibc", "CHostThread", "CHSLink"]
for target in package.targets where target.type != .plugin && !others.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + swiftSettings
}
