import ArgumentParser
import ComponentHost
import SystemSupport

/// `hslink copy`: copies components with their resources into a directory of a host.
struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies components with their resources into a directory that a host scans.",
        discussion: """
            EXAMPLES:
              hslink copy .build/release --components plugins
              hslink copy .build/release/libWeather.so --components /srv/host/components
              hslink copy zlib.hslink.json --components plugins

            The resources of a component NAME are the folder NAME.resources beside its file or, if the file is in the \
            folder .build or build of a project, in the project, in Sources/NAME or in Plugins/NAME. If there is none, \
            the bundle that SwiftPM has made for its module, PACKAGE_MODULE.resources beside the file, is copied under \
            its own name. Libraries that a component needs from its directory are not copied.

            Only what has changed is copied, and what has been deleted is removed. A host sees the former file or the \
            new one, and the former folder of resources or the new one, also after an interruption. Of several copies \
            into one directory, each waits for the one before. Links in the resources are copied as links; one that \
            leads out of the folder is an error. Components and folders get the mode 0755, other files 0644.

            Prints one line for each file of a component and each folder of resources.

            STATUS: 0 when everything has been copied, 1 when something has not, 64 for a wrong command line.
            """)

    @Argument(
        help: ArgumentHelp("The files of components, or directories of files.", valueName: "file"),
        completion: .file(extensions: ["so", "json"]))
    var files: [String]

    @Option(
        name: .customLong("components"),
        help: ArgumentHelp("Copy into this directory, which is created if need be.", valueName: "dir"),
        completion: .directory)
    var directory: String

    func validate() throws {
        guard !directory.isEmpty else {
            throw ValidationError("--components: expected a directory, found an empty string")
        }
    }

    func run() throws {
        let target = HostDirectory(path: directory)
        var hasFailed = false
        for file in files {
            let (components, problems) = CopyCommand.components(at: file)
            for problem in problems { Output.error(problem.message) }
            hasFailed = hasFailed || !problems.isEmpty
            for component in components {
                let lines: [String]
                do throws(DevError) {
                    try target.make()
                    lines = try target.put(component)
                } catch {
                    Output.error(error.message)
                    hasFailed = true
                    continue
                }
                try Output.result(lines.map(\.escaped).joined(separator: "\n"))
            }
        }
        if hasFailed { throw ExitCode.failure }
    }

    /// Returns the component in a file, or those in a directory, where libraries without a manifest are left out.
    private static func components(at path: String) -> (found: [BuiltComponent], problems: [DevError]) {
        let isDirectory = (try? DirectoryEntries(path)) != nil
        var (found, problems): ([BuiltComponent], [DevError]) = ([], [])
        for file in isDirectory ? BuiltComponent.files(in: path) : [path] {
            do throws(ComponentFileError) {
                found.append(try BuiltComponent(file))
            } catch {
                if isDirectory, error.code == .noManifest { continue }
                problems.append(DevError("\(file): \(error.message)".escaped))
            }
        }
        if found.isEmpty, problems.isEmpty {
            problems.append(DevError("\(path.escaped): there is no component in this directory"))
        }
        return (found, problems)
    }
}
