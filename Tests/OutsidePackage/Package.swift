// swift-tools-version: 6.2
import PackageDescription

let kit = Target.Dependency.product(name: "ComponentKit", package: "HSLink")
let host = Target.Dependency.product(name: "ComponentHost", package: "HSLink")

let package = Package(
    name: "Greeter",
    products: [.library(name: "Greeter", type: .dynamic, targets: ["Greeter"])],
    dependencies: [.package(name: "HSLink", path: "../..", traits: [])],
    targets: [
        .target(name: "Greeter", dependencies: [kit]),
        .executableTarget(name: "greeter-host", dependencies: [kit, host]),
    ]
)
