import Foundation
import TestSupport
import Testing

@testable import PackageLayers

@Suite("A drawing of the layers")
struct LayerDrawingTests {
    private static let dot = ["/usr/bin/dot", "/usr/local/bin/dot"].first(where: FileManager.default.isExecutableFile)

    /// A package with names that are special to Graphviz.
    private var report: LayerReport {
        let net = SourceTarget.Dependency.product("Net \"2\"", package: "net")
        var package = SourcePackage(
            name: "Stu\"dio\\",
            targets: [
                .component("Film", dependencies: [.target("NX\n\"Kit\""), net, .product("Socket", package: "net")]),
                .component("Sound", dependencies: [.target("Film")]), SourceTarget("NX\n\"Kit\"", dependencies: [net]),
                SourceTarget("FilmTests", .test, dependencies: [.target("Film")]),
            ], dependencies: [PackageReference(identity: "net")])
        package.targets[0].dependencies.append(.product("ComponentKit", package: "HSLink"))
        package.targets[1].dependencies.append(.product("ComponentKit", package: "HSLink"))
        package.statement.exceptions = [.init(target: "Film", uses: "net", reason: "it \"streams\"")]
        return LayerReport(package)
    }

    @Test("a cluster for each layer, red arrows for what breaks a rule, dashed ones for exceptions")
    func text() {
        let text = LayerDrawing(report).text
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.first == #"digraph "Stu\"dio\\" {"#)
        #expect(
            lines.filter { $0.hasPrefix("subgraph") } == [
                "subgraph \"cluster_component\" {", "subgraph \"cluster_common\" {", "subgraph \"cluster_base\" {",
                "subgraph \"cluster_thirdParty\" {",
            ])
        #expect(
            lines.filter { $0.contains(" -> ") } == [
                #""target Sound" -> "target Film" [color=red, penwidth=2];"#,
                #""target Film" -> "base ComponentKit";"#, #""target Film" -> "target NX \"Kit\"";"#,
                #""target Film" -> "thirdParty net" [style=dashed, tooltip="it \"streams\""];"#,
                #""target Sound" -> "base ComponentKit";"#, #""target NX \"Kit\"" -> "thirdParty net";"#,
            ])
        #expect(!text.contains("FilmTests"))
    }

    @Test("Graphviz accepts it", .enabled("Graphviz is not installed") { dot != nil })
    func accepted() async throws {
        let dot = try #require(Self.dot)
        let run = try await ProgramRun.of(URL(filePath: dot), ["-Tplain"], input: LayerDrawing(report).text)
        #expect(run.status == 0 && run.standardError == "", "\(run)")
        #expect(run.standardOutput.contains("edge \"target Sound\" \"target Film\""))
    }
}
