import ArgumentParser
import ComponentHost
import ComponentKit
import Glibc
import SystemSupport

/// What `new component` and `new host` have in common: the name, the place, and where HSLink comes from.
struct ScaffoldOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Its name, which is that of the folder too: letters, digits and '_', a letter first.", valueName: "name"),
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
        help: ArgumentHelp("Make the folder in this directory, not in the current one.", valueName: "dir"),
        completion: .directory)
    var directory: String?

    @Option(
        name: .customLong("hslink"),
        help: ArgumentHelp(
            "Depend on the HSLink package in this directory.",
            discussion: "Without it, a program that lies in the package's .build takes that package.", valueName: "dir"),
        completion: .directory)
    var package: String?

    @Option(help: ArgumentHelp("Depend on the HSLink package at this URL; with --from.", valueName: "url"))
    var url: String?

    @Option(
        name: .customLong("from"), help: ArgumentHelp("The least version at that URL.", valueName: "version"))
    var version: String?

    func validate() throws {
        let texts = [("--path", directory), ("--hslink", package), ("--url", url)]
        for (option, text) in texts where text?.isEmpty == true {
            throw ValidationError("\(option): expected a text, it is empty")
        }
        guard (url == nil) == (version == nil) else {
            throw ValidationError("--url and --from belong together: \(url == nil ? "--url" : "--from") is missing")
        }
        guard url == nil || package == nil else { throw ValidationError("expected --hslink or --url, found both") }
        if let version, Version(version) == nil {
            throw ValidationError("--from: expected a version as in 1.2.0, found '\(version.escaped)'")
        }
        if let package {
            guard let path = ProgramPlace.realPath(package), ProgramPlace.isPackage(path) else {
                throw ValidationError(
                    "--hslink: expected a directory of the HSLink package, found '\(package.escaped)'")
            }
        }
    }

    /// The absolute path of the folder that is to be made.
    ///
    /// - Throws: when there is no directory to make it in.
    func target() throws(ScaffoldError) -> String {
        let given = directory ?? "."
        guard let parent = ProgramPlace.realPath(given) else {
            throw ScaffoldError("\(given.escaped): cannot be used: \(systemMessage(errno))")
        }
        return parent == "/" ? "/\(name.text)" : "\(parent)/\(name.text)"
    }

    /// The directory of the package that was given.
    var packagePath: String? { package.flatMap(ProgramPlace.realPath) }

    /// Where a package in Swift takes HSLink from.
    ///
    /// - Throws: what to say on the command line, where the program's place does not tell.
    func source() throws(UsageError) -> PackageSource {
        if let packagePath { return .path(packagePath) }
        if let url, let version { return .url(url, from: version) }
        if case .package(let path) = ProgramPlace.current { return .path(path) }
        throw UsageError(
            message:
                "this hslink lies outside of its package, and does not know where that is: pass --hslink DIR with a "
                + "checkout, or --url URL --from VERSION")
    }

    /// The text of a Package.resolved with the versions that HSLink was built with there, so that no others are asked
    /// for; nil where they are not known. SwiftPM fetches all that such a file names: what only other parts of HSLink
    /// need is left out.
    static func pins(of source: PackageSource) -> String? {
        guard case .path(let path) = source,
            let bytes = try? InputFile.read("\(path)/Package.resolved", limit: 1 << 20),
            let content = try? Payload(json: bytes), let pins = try? content["pins"]?.items(),
            let version = content["version"]
        else { return nil }
        let needed = ["swift-distributed-tracing", "swift-log", "swift-syntax"]
        let kept = pins.filter { pin in (try? pin.string("identity")).map(needed.contains) ?? false }
        return try? Payload.map([("pins", .array(kept)), ("version", version)]).json() + "\n"
    }

    /// Makes the folder, and says so and what to do next.
    ///
    /// - Parameters:
    ///   - scaffold: what is in it.
    ///   - what: what was made, as a phrase.
    ///   - next: two commands, for the folder's absolute path as one word of a shell.
    func make(_ scaffold: Scaffold, _ what: String, next: (String) -> [String]) throws {
        Interruption.remember()
        let folder: String
        do throws(ScaffoldError) {
            folder = try target()
            try scaffold.make(at: folder)
        } catch {
            if let signal = error.signal { throw ExitCode(128 + signal) }
            Output.error(error.message)
            throw ExitCode.failure
        }
        let files = scaffold.files.map { "  \($0.path)" }.sorted()
        let commands = next(folder.quotedForShell).map { "  \($0)" }
        let lines = ["\(folder.escaped): \(what)"] + files + ["Next:"] + commands
        try Output.result(lines.joined(separator: "\n"))
    }
}
