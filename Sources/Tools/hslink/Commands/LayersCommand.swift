import ArgumentParser
import ComponentKit
import PackageLayers

/// `hslink layers`: checks which targets of a package use which.
struct LayersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layers",
        abstract: "Shows the layers of a package, and reports dependencies that break their order.",
        discussion: """
            EXAMPLES:
              hslink layers --strict
              hslink layers ../Studio
              hslink layers --dot | dot -Tsvg -o layers.svg
              hslink layers --json | jq '.findings[] | select(.kind == "sideways")'

            This command runs 'swift package dump-package', which compiles and runs Package.swift and the manifests of \
            local packages that it uses, as every build does. It builds nothing else.

            LAYERS, highest first:
              host         programs, and libraries for them that depend on ComponentHost
              component    targets that declare a @Component
              contract     targets that declare a @LinkService, and no component
              common       all other libraries
              base         ComponentKit, and libraries that .layers.json states
              third party  other packages, system libraries and binaries

            Tests belong to no layer. The file .layers.json next to Package.swift corrects a layer, and accepts a \
            dependency that breaks a rule: {"layers": {"NXShell": "host"}, "exceptions": [{"target", "uses", "reason"}]}.

            Each finding is one line, file:line:column: warning: message, at the import, or in Package.swift if no \
            file imports the dependency:
              upward       a lower layer uses a higher one, or a component the contract of one with a higher
                           declared layer
              sideways     a component, or a contract, uses a component
              thirdParty   a component or a contract uses third-party code
              undeclared   the manifest does not state an imported target or product
              needless     an entry in .layers.json has no effect
              unread       a file or a local package could not be read

            With --json, prints one object: {"package", "layers": [{"layer", "name", "reason", "file", "line"}], \
            "findings": [{"kind", "file", "line", "column", "target", "dependency", "message"}], "exceptions": \
            [{"target", "uses", "reason"}]}. Unknown values are null. "thirdParty" is the name of the lowest layer.

            STATUS: 0; with --strict, 1 if there are findings; 1 if the package cannot be read; 64 for a wrong \
            command line.
            """)

    @Argument(help: ArgumentHelp("The folder with Package.swift.", valueName: "package"), completion: .directory)
    var folder = "."

    @Flag(help: "End with status 1 if there are findings.")
    var strict = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Print a drawing for Graphviz, in which dependencies that break a rule are red.")
    var dot = false

    func validate() throws {
        if json && dot { throw ValidationError("--json and --dot cannot be combined") }
        if folder.isEmpty { throw ValidationError("expected a folder, found an empty string") }
    }

    // May block the thread: nothing else runs in this process.
    func run() async throws {
        let report: LayerReport
        do {
            report = try await Progress.during("reading the package") { LayerReport(try PackageReader.read(folder)) }
        } catch let error as LayersError {
            Output.error(error.message)
            throw ExitCode.failure
        }
        if json {
            try Output.json(report.json())
        } else if dot {
            try Output.result(LayerDrawing(report).text)
            for finding in report.findings { Output.note(finding.line) }
        } else {
            try Output.result(report.text(on: Terminal()))
        }
        if strict && !report.findings.isEmpty { throw ExitCode.failure }
    }
}

extension LayerReport {
    /// Returns the layers as a table, and the findings below it.
    fileprivate func text(on terminal: Terminal) -> String {
        var table = ListingTable(["LAYER", "TARGETS AND PACKAGES"])
        let members = members
        for layer in Layer.allCases {
            let names = members.filter { $0.placement.layer == layer }.map(\.name)
            guard !names.isEmpty else { continue }
            table.rows.append([.init(text: layer.title), .init(text: names.joined(separator: ", "))])
        }
        var lines = [table.text(on: terminal)]
        if !findings.isEmpty { lines.append("") }
        var explained: Set<String> = []
        for finding in findings {
            lines.append(finding.line)
            if let note = finding.note, explained.insert(note).inserted { lines.append(note) }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns one JSON object.
    fileprivate func json() throws(PayloadError) -> String {
        let layers = members.map { member -> Payload in
            let placement = member.placement
            return [
                "layer": .string(placement.layer.rawValue), "name": .string(member.name),
                "reason": .string(placement.reason), "file": (placement.place?.path).payload,
                "line": (placement.place?.position.line).payload,
            ]
        }
        let findings = findings.map { finding -> Payload in
            [
                "kind": .string(finding.kind.rawValue), "file": .string(finding.path),
                "line": finding.position.line.payload, "column": finding.position.column.payload,
                "target": finding.target.payload, "dependency": finding.dependency.payload,
                "message": .string(finding.message),
            ]
        }
        let exceptions = package.statement.exceptions.map { exception -> Payload in
            [
                "target": .string(exception.target), "uses": .string(exception.uses),
                "reason": .string(exception.reason),
            ]
        }
        let object: Payload = [
            "package": .string(package.name), "layers": .array(layers), "findings": .array(findings),
            "exceptions": .array(exceptions),
        ]
        return try object.json()
    }
}
