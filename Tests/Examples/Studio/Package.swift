// swift-tools-version: 6.2
import PackageDescription

let kit = Target.Dependency.product(name: "ComponentKit", package: "HSLink")
let host = Target.Dependency.product(name: "ComponentHost", package: "HSLink")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

let package = Package(
    name: "Studio",
    products: [
        .library(name: "Film", type: .dynamic, targets: ["Film"]),
        .library(name: "Sound", type: .dynamic, targets: ["Sound"]),
    ],
    dependencies: [
        .package(name: "HSLink", path: "../../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(name: "Studio", dependencies: ["FilmContract", kit, host]),
        .target(name: "Film", dependencies: ["FilmContract", "NXKit", "NXStorage", kit, grdb]),
        .target(name: "Sound", dependencies: ["FilmContract", "NXKit", kit]),
        .target(name: "FilmContract", dependencies: [kit]),
        .target(name: "NXStorage", dependencies: ["NXKit", grdb]),
        .target(name: "NXKit"),
    ]
)
