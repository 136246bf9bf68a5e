// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Greeter",
    products: [.library(name: "Greeter", type: .dynamic, targets: ["Greeter"])],
    dependencies: [.package(name: "HSLink", path: "../..", traits: [])],
    targets: [.target(name: "Greeter", dependencies: [.product(name: "ComponentKit", package: "HSLink")])]
)
