import ComponentKit
import Glibc
import SystemSupport

/// The files in a component's directory of resources, found without the component.
package struct ResourceListing: Sendable {
    /// A file, or something else that is in the place of one.
    package struct File: Sendable {
        /// The path relative to the directory.
        package let name: String
        /// The size in bytes; nil if it cannot be opened.
        package fileprivate(set) var size: Int?
        /// Why a host would not open it; nil if it would.
        package fileprivate(set) var problem: ComponentFileError?
    }

    /// The absolute path of the directory, without links if it could be opened.
    package let path: String
    /// The files, sorted by their names.
    package private(set) var files: [File] = []
    /// Why a host would not use the directory; nil if it would.
    package private(set) var problem: ComponentFileError?
    /// Whether some files are left out, because there are too many or they are nested too deeply.
    package private(set) var isIncomplete = false

    private static let maximumFiles = 65_536
    private static let maximumDepth = 32

    /// Lists the files even if a host would not use them.
    ///
    /// - Parameters:
    ///   - policy: the rules of the host.
    ///   - bundles: the bundles beside components; pass the same to list the resources of several.
    /// - Returns: nil if the component has no directory.
    package init?(
        _ place: ResourcePlace, policy: TrustPolicy = .strict, bundles: ResourceBundles = ResourceBundles()
    ) {
        var strict = TrustChecker(policy: policy)
        do throws(ComponentFileError) {
            guard let directory = try place.open(&strict, bundles) else { return nil }
            path = directory.path
            addFiles(at: [], in: directory, &strict)
        } catch {
            var any = TrustChecker(policy: .unchecked)
            problem = error
            do throws(ComponentFileError) {
                guard let directory = try place.open(&any, bundles) else { return nil }
                path = directory.path
                addFiles(at: [], in: directory, &any)
            } catch {
                path = place.expectedPath
                problem = error
            }
        }
        files.sort { ExactText($0.name) < ExactText($1.name) }
    }

    /// Adds the files in a folder and below. Links to folders are not followed, since they may lead around in circles.
    private mutating func addFiles(
        at way: [String], in root: borrowing OpenDirectory, _ checker: inout TrustChecker
    ) {
        var names: [(name: String, isFolder: Bool)] = []
        func add(_ entry: DirectoryEntries.Entry) -> Bool {
            if entry.isText { names.append((entry.name, entry.kind == .directory)) }
            return names.count <= ResourceListing.maximumFiles
        }
        do throws(ComponentFileError) {
            if way.isEmpty {
                try root.forEachEntry(add)
            } else {
                let folder = try checker.openResources(way, in: root)
                try folder.forEachEntry(add)
            }
        } catch {
            files.append(File(name: way.joined(separator: "/") + "/", problem: error))
            return
        }
        for (name, isFolder) in names {
            guard files.count < ResourceListing.maximumFiles, way.count < ResourceListing.maximumDepth else {
                isIncomplete = true
                return
            }
            let way = way + [name]
            var file = File(name: way.joined(separator: "/"))
            do throws(ComponentFileError) {
                guard !isFolder else { throw ComponentFileError(.notAFile, "") }
                file.size = try checker.openResource(way, in: root).size
            } catch {
                if error.code == .notAFile, ResourceListing.isFolder(file.name, in: root, followingLinks: true) {
                    if ResourceListing.isFolder(file.name, in: root, followingLinks: false) {
                        addFiles(at: way, in: root, &checker)
                    }
                    continue
                }
                file.problem = error
            }
            files.append(file)
        }
    }

    private static func isFolder(
        _ name: String, in root: borrowing OpenDirectory, followingLinks: Bool
    ) -> Bool {
        var status = stat()
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        return unsafe fstatat(root.descriptor, name, &status, flags) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
