import Glibc
import SystemSupport

/// A contract in a package of its own, as `hslink new contract` makes it.
struct ContractPackage {
    /// The absolute path of the package.
    let path: String
    let service: ServiceNames
    /// The dependency for the Package.swift of a provider or a consumer.
    let declaration: String

    /// - Parameters:
    ///   - path: the folder of the contract's package.
    ///   - package: the absolute path of the package that depends on it, which need not exist.
    /// - Throws: a ``UsageError`` if there is no such package.
    init(_ path: String, for package: String) throws(UsageError) {
        guard let folder = AbsolutePath.resolved(path) else {
            throw UsageError("\(path.escaped): cannot be used: \(systemMessage(errno))")
        }
        let module = folder.splitPath.name
        let parts = ["Package.swift", "Sources/\(module)"]
        guard parts.allSatisfy({ unsafe access("\(folder)/\($0)", R_OK) == 0 }) else {
            throw UsageError(
                "\(path.escaped): expected a package with Sources/\(module.escaped), as 'hslink new contract' makes it")
        }
        // A component has a folder of its name in Sources, too.
        let manifest = (try? InputFile.read("\(folder)/Package.swift", limit: 1 << 20)) ?? []
        let dynamic = ".library(name: \(module.swiftLiteral), type: .dynamic,"
        guard !String(decoding: manifest, as: UTF8.self).contains(dynamic) else {
            throw UsageError(
                "\(path.escaped): expected a contract, found a component; make a package for the contract with "
                    + "'hslink new contract'")
        }
        self.path = folder
        service = ServiceNames(contract: module)
        let place = PackageSource.nearPath(of: folder, from: package)
        declaration = ".package(name: \(module.swiftLiteral), path: \(place.swiftLiteral))"
    }

    /// The contract's product, for Package.swift.
    var product: String {
        ".product(name: \(service.contract.swiftLiteral), package: \(service.contract.swiftLiteral))"
    }

    /// Whether the contract takes HSLink from the same place as a package would that takes it from this source: SwiftPM
    /// refuses two places in one build.
    func shares(_ source: PackageSource) -> Bool {
        guard let bytes = try? InputFile.read("\(path)/Package.swift", limit: 1 << 20) else { return false }
        let manifest = String(decoding: bytes, as: UTF8.self)
        let expected: PackageSource =
            if case .path(let directory, _) = source { .directory(directory, for: path) } else { source }
        return manifest.contains(expected.declaration)
    }
}
