import ComponentHost
import Glibc
import SystemSupport

/// A component that has been built, with the resources that belong beside it.
struct BuiltComponent {
    /// The path of the file, as it was given.
    let file: String
    let manifest: Manifest

    /// A folder of resources, and the name that it has beside the component.
    struct Folder {
        let path: String
        let name: String
    }

    /// The endings of the names of components.
    static let endings = [".so", DescriptionFile.suffix]

    /// - Throws: the reason why the file is no component.
    init(_ file: String) throws(ComponentFileError) {
        let report = FileReport(file)
        if let error = report.error { throw error }
        guard let manifest = report.manifest else { throw ComponentFileError(.noManifest, "not a component") }
        self.file = file
        self.manifest = manifest
    }

    /// Returns the paths of the files in a directory whose names end as those of components do, sorted; none if it cannot
    /// be read.
    static func files(in directory: String, endings: [String] = endings) -> [String] {
        guard let entries = try? DirectoryEntries(directory) else { return [] }
        let names = entries.filter { entry in
            entry.isText && !entry.name.hasExactPrefix(".") && endings.contains { entry.name.hasExactSuffix($0) }
        }.map(\.name)
        return names.sortedExactly().map { "\(directory.hasExactSuffix("/") ? directory : "\(directory)/")\($0)" }
    }

    /// Finds the resources: the folder `NAME.resources` beside the file or in the project that the file was built in,
    /// else the bundle that SwiftPM has made.
    ///
    /// - Returns: nil if there are none.
    /// - Throws: a ``DevError`` if a host could not tell which folder it is.
    func resources() throws(DevError) -> Folder? {
        let own = "\(manifest.name).resources"
        let path = AbsolutePath.of(file)
        let folder = path.splitPath.directory
        let beside: String?
        do throws(ComponentFileError) {
            beside = try ResourcePlace(of: manifest, at: path).name()
        } catch {
            throw DevError("\(folder.escaped): the resources of \(manifest.name): \(error.message.escaped)")
        }
        if beside?.isExactly(own) != true, let project = BuiltComponent.project(of: path) {
            for place in ["", "/Sources/\(manifest.name)", "/Plugins/\(manifest.name)"] {
                let found = "\(project)\(place)/\(own)"
                if unsafe access(found, F_OK) == 0 { return Folder(path: found, name: own) }
            }
        }
        return beside.map { Folder(path: "\(folder)/\($0)", name: $0) }
    }

    /// Returns the folder of the project that a file was built in, in its folder `.build` or `build`.
    private static func project(of file: String) -> String? {
        var folder = file.splitPath.directory
        while folder != "/", folder != "." {
            let (parent, name) = folder.splitPath
            if name == ".build" || name == "build", let project = try? ComponentProject(parent) {
                return project.folder
            }
            folder = parent
        }
        return nil
    }
}
