// swift-tools-version: 6.2
import PackageDescription

let kit = Target.Dependency.product(name: "ComponentKit", package: "HSLink")
let pages = Target.Dependency.product(name: "PageKit", package: "HSLink")

let package = Package(
    name: "Weather",
    // The package has resources in several languages.
    defaultLocalization: "en",
    products: [
        .library(name: "WeatherContract", targets: ["WeatherContract"]),
        .library(name: "Weather", type: .dynamic, targets: ["Weather"]),
        .library(name: "Travel", type: .dynamic, targets: ["Travel"]),
        .library(name: "News", type: .dynamic, targets: ["News"]),
        .library(name: "Office", type: .dynamic, targets: ["Office"]),
        .executable(name: "weather-station", targets: ["WeatherStation"]),
    ],
    dependencies: [
        .package(name: "HSLink", path: "../../.."),
        // The configuration of components.
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        // Carried context.
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        // A host among the services of a program.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The protocol and the models that providers and consumers share.
        .target(name: "WeatherContract", dependencies: [kit]),
        // The provider.
        .target(name: "Weather", dependencies: ["WeatherContract", kit, pages], resources: [.process("Resources")]),
        // A consumer, which depends on the contract only.
        .target(name: "Travel", dependencies: ["WeatherContract", kit]),
        // A component that operators configure.
        .target(name: "News", dependencies: [kit]),
        // A component with a page about one thing, and a sign-in of its own.
        .target(name: "Office", dependencies: [kit, pages]),
        // A host program.
        .executableTarget(
            name: "WeatherStation",
            dependencies: [
                "WeatherContract", kit, .product(name: "ComponentHost", package: "HSLink"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
    ]
)
