import Glibc
package import SystemSupport

/// The place of a component's resources: a directory next to its file, or next to the program that it is linked into.
package struct ResourcePlace: Sendable {
    /// The name of the component.
    package let component: String
    /// The Swift module of the component.
    let module: String
    /// The directory that contains the component's file.
    let folder: String

    package init(component: String, module: String, folder: String) {
        self.component = component
        self.module = module
        self.folder = folder
    }

    /// The path of the directory that a component without SwiftPM's bundle has.
    package var expectedPath: String {
        folder.isEmpty || folder == "/" ? "\(folder)\(component).resources" : "\(folder)/\(component).resources"
    }

    /// Opens the directory.
    ///
    /// - Parameter bundles: the bundles beside components; pass the same to open the directories of several.
    /// - Returns: nil if the component has none.
    /// - Throws: The error of the policy if it refuses the directory, one above it or a link in its place;
    ///   `notADirectory` if it is a file; `malformed` if it could be either of two; `notReadable`.
    package func open(
        _ checker: inout TrustChecker, _ bundles: ResourceBundles = ResourceBundles()
    ) throws(ComponentFileError) -> OpenDirectory? {
        // Without checks, because a folder that is not trusted costs a component nothing if it has no resources there.
        guard let name = try name(bundles) else { return nil }
        let parent = try checker.openDirectory(folder)
        do throws(ComponentFileError) {
            let directory = try checker.openResources([name], in: parent)
            guard
                directory.identity.inode != parent.identity.inode || directory.identity.device != parent.identity.device
            else {
                throw ComponentFileError(
                    .linkOutside, "it is a link to the directory that contains it; replace it with a directory")
            }
            return directory
        } catch {
            guard error.code == .linkOutside, !checker.policy.isChecked else { throw error }
            return try checker.openDirectory(parent.path(of: name), as: .resources)
        }
    }

    /// Returns the name of the directory in the folder, whether or not a host would trust it; nil if there is none.
    ///
    /// - Parameter bundles: the bundles beside components; pass the same to find the directories of several.
    /// - Throws: `malformed` if it could be either of two; `notReadable`.
    package func name(_ bundles: ResourceBundles = ResourceBundles()) throws(ComponentFileError) -> String? {
        // The system does not report the path of every program.
        guard !folder.isEmpty else { return nil }
        var checker = TrustChecker(policy: .unchecked)
        let parent: OpenDirectory
        do throws(ComponentFileError) {
            parent = try checker.openDirectory(folder)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
        let own = "\(component).resources"
        var status = stat()
        if unsafe fstatat(parent.descriptor, own, &status, AT_SYMLINK_NOFOLLOW) == 0 { return own }
        let bundles = module.isEmpty ? [] : try bundles.names(of: module, in: parent)
        guard bundles.count < 2 else {
            throw ComponentFileError(
                .malformed,
                "several bundles could be its own: \(bundles.joined(separator: ", "));"
                    + " rename the right one to \(own)")
        }
        return bundles.first
    }
}

/// SwiftPM's bundles, `PACKAGE_TARGET.resources`, in directories. Each directory is read once, however many components
/// it holds. Used from one thread at a time, for one list of components.
package final class ResourceBundles {
    /// For each directory, the names of the bundles that may belong to a module, by the name of the module.
    private var bundles: [ExactText: Result<[ExactText: [String]], ComponentFileError>] = [:]

    package init() {}

    /// Returns the names of the bundles of a module in a directory, in ascending order.
    fileprivate func names(
        of module: String, in directory: borrowing OpenDirectory
    ) throws(ComponentFileError) -> [String] {
        let path = ExactText(directory.path)
        if let known = bundles[path] { return try known.get()[ExactText(module)] ?? [] }
        let result: Result<[ExactText: [String]], ComponentFileError>
        do throws(ComponentFileError) {
            result = .success(try ResourceBundles.read(directory))
        } catch {
            result = .failure(error)
        }
        bundles[path] = result
        return try result.get()[ExactText(module)] ?? []
    }

    private static func read(
        _ directory: borrowing OpenDirectory
    ) throws(ComponentFileError) -> [ExactText: [String]] {
        let end = ".resources"
        var names: [String] = []
        try directory.forEachEntry { entry in
            if entry.isText, entry.name.hasExactSuffix(end) { names.append(entry.name) }
            return true
        }
        var bundles: [ExactText: [String]] = [:]
        for name in names.sortedExactly() {
            // A module has underscores where its target has hyphens. Either may be part of the name of the package, too.
            let bytes = name.utf8.dropLast(end.utf8.count).map {
                $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0
            }
            for index in bytes.indices where bytes[index] == UInt8(ascii: "_") {
                let module = String(decoding: bytes[(index + 1)...], as: UTF8.self)
                bundles[ExactText(module), default: []].append(name)
            }
        }
        return bundles
    }
}

extension OpenDirectory {
    /// Calls `body` with each entry of the directory until it returns false.
    ///
    /// - Throws: The system's error if the directory cannot be read.
    package func forEachEntry(_ body: (DirectoryEntries.Entry) -> Bool) throws(ComponentFileError) {
        do throws(DirectoryEntries.Failure) {
            let entries = try DirectoryEntries(of: descriptor)
            for entry in entries { guard body(entry) else { return } }
            try entries.checkComplete()
        } catch {
            throw .system(error.number, while: "list")
        }
    }
}

extension ResourcePlace {
    /// The place for a component with this manifest.
    ///
    /// - Parameter path: the path of its file.
    package init(of manifest: Manifest, at path: String) {
        self.init(component: manifest.name, module: manifest.module, folder: path.splitPath.directory)
    }
}
