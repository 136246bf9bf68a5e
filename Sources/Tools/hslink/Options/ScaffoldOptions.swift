import ArgumentParser
import ComponentHost
import ComponentKit
import Glibc
import SystemSupport

/// The options shared by all of `hslink new`: the name, the location, and the source of HSLink.
struct ScaffoldOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The name, also used for the folder: letters, digits and '_', starting with a letter.", valueName: "name"),
        transform: { text in
            do throws(ScaffoldNameError) {
                return try ScaffoldName(text)
            } catch {
                throw ValidationError(error.message)
            }
        })
    var name: ScaffoldName

    @Option(
        name: .customLong("path"),
        help: ArgumentHelp("Create the folder in this directory instead of the current one.", valueName: "dir"),
        completion: .directory)
    var directory: String?

    @Option(
        name: .customLong("hslink"),
        help: ArgumentHelp(
            "Depend on the HSLink package in this directory.",
            discussion: "Default: the package whose .build contains this program. A relative path is written if the "
                + "directory lies beside the new folder or one folder further up.",
            valueName: "dir"),
        completion: .directory)
    var package: String?

    @Option(
        help: ArgumentHelp(
            "Depend on the HSLink package at this URL; requires --from.",
            discussion: "For packages that others build too: two checkouts of HSLink cannot be in one build.",
            valueName: "url"))
    var url: String?

    @Option(
        name: .customLong("from"), help: ArgumentHelp("The minimum version at that URL.", valueName: "version"))
    var version: String?

    func validate() throws {
        let texts = [("--path", directory), ("--hslink", package), ("--url", url)]
        for (option, text) in texts where text?.isEmpty == true {
            throw ValidationError("\(option): expected a value, found an empty string")
        }
        guard (url == nil) == (version == nil) else {
            throw ValidationError("--url and --from belong together: \(url == nil ? "--url" : "--from") is missing")
        }
        guard url == nil || package == nil else { throw ValidationError("expected --hslink or --url, found both") }
        if let version, Version(version) == nil {
            throw ValidationError("--from: expected a version such as 1.2.0, found '\(version.escaped)'")
        }
        if let package {
            guard let path = AbsolutePath.resolved(package), ProgramPlace.isPackage(path) else {
                throw ValidationError(
                    "--hslink: expected a checkout of the HSLink package, found '\(package.escaped)'")
            }
        }
    }

    /// Returns the absolute path of the folder to create.
    ///
    /// - Parameter folder: the name of the folder; nil for that of what is created.
    /// - Throws: a ``ScaffoldError`` if the parent directory does not exist or cannot be resolved.
    func target(_ folder: String? = nil) throws(ScaffoldError) -> String {
        let given = directory ?? "."
        guard let parent = AbsolutePath.resolved(given) else {
            throw ScaffoldError("\(given.escaped): cannot be used: \(systemMessage(errno))")
        }
        return "\(parent == "/" ? "" : parent)/\(folder ?? name.text)"
    }

    /// The absolute path of the package given with --hslink.
    var packagePath: String? { package.flatMap(AbsolutePath.resolved) }

    /// Returns the source of HSLink for a Swift package.
    ///
    /// - Parameter folder: the name of the package's folder; nil for that of what is created.
    /// - Throws: a ``UsageError`` if no option names the source and this program is not inside a package.
    func source(_ folder: String? = nil) throws(UsageError) -> PackageSource {
        if let url, let version { return .url(url, from: version) }
        // If the folder cannot be created, its creation says why.
        let target = (try? target(folder)) ?? "/"
        if let packagePath { return .directory(packagePath, for: target) }
        if case .package(let path) = ProgramPlace.current { return .directory(path, for: target) }
        throw UsageError(
            "cannot find the HSLink package, since this program is not inside it: pass --hslink DIR with a "
                + "checkout, or --url URL --from VERSION")
    }

    /// Returns the text of a Package.resolved that pins the dependencies to the versions in the HSLink checkout; nil if
    /// these are unknown. SwiftPM fetches every package that the file names, so those that only other parts of HSLink
    /// need are left out.
    static func pins(of source: PackageSource) -> String? {
        guard case .path(let path, _) = source,
            let bytes = try? InputFile.read("\(path)/Package.resolved", limit: 1 << 20),
            let content = try? Payload(json: bytes), let pins = try? content["pins"]?.items(),
            let version = content["version"]
        else { return nil }
        let needed = ["swift-distributed-tracing", "swift-log", "swift-syntax"]
        let kept = pins.filter { pin in (try? pin.string("identity")).map(needed.contains) ?? false }
        return try? Payload.map([("pins", .array(kept)), ("version", version)]).json() + "\n"
    }

    /// Creates the folder and prints its files and the next commands.
    ///
    /// - Parameters:
    ///   - scaffold: the contents of the folder.
    ///   - what: a phrase that describes the result, as in "a host in Swift".
    ///   - name: the name of the folder; nil for that of what is created.
    ///   - next: returns commands for the folder's absolute path, which is quoted for a shell.
    func make(
        _ scaffold: Scaffold, _ what: String, folder name: String? = nil, next: (String) -> [String]
    ) throws {
        Interruption.remember()
        let folder: String
        do throws(ScaffoldError) {
            folder = try target(name)
            try scaffold.make(at: folder)
        } catch {
            if let signal = error.signal { throw ExitCode(128 + signal) }
            Output.error(error.message)
            throw ExitCode.failure
        }
        let files = scaffold.files.map { "  \($0.path)" }.sorted()
        let commands = next(folder.quotedForShell).map { "  \($0)" }
        let lines = ["\(folder.escaped): \(what)"] + files + ["Next:"] + commands
        do throws(OutputError) {
            try Output.result(lines.joined(separator: "\n"))
        } catch {
            // The folder stays: it is complete, and someone may have seen it.
            Output.error("\(folder.escaped) was created, but \(error.message)")
            throw ExitCode.failure
        }
    }
}
