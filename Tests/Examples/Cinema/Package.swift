// swift-tools-version: 6.2
import PackageDescription

let kit = Target.Dependency.product(name: "ComponentKit", package: "HSLink")

let package = Package(
    name: "Cinema",
    products: [
        .library(name: "Video", type: .dynamic, targets: ["Video"]),
        .executable(name: "cinema", targets: ["Cinema"]),
    ],
    dependencies: [.package(name: "HSLink", path: "../../..", traits: [])],
    targets: [
        // Neither side depends on the other: they have the names of classes and methods in common.
        .target(name: "Video", dependencies: [kit]),
        .executableTarget(
            name: "Cinema", dependencies: [kit, .product(name: "ComponentHost", package: "HSLink")]),
    ]
)
