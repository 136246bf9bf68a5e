import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ForeignFunctions

/// Imports the headers of installed packages, and calls functions of them with random values. It runs for scripts/fuzz
/// only, because what it finds depends on the installed packages.
@Suite("Imported functions")
struct ImportedCallTests {
    /// How many functions are called; nil for none.
    private static var count: Int? { ProcessInfo.processInfo.environment["HSLINK_FUZZ_FUNCTIONS"].flatMap { Int($0) } }

    /// Descriptions with a function each, chosen at random, and the file for what happened.
    private static func choose(
        _ count: Int, _ directory: TemporaryDirectory
    ) async throws -> [(file: String, selector: String)] {
        let list = try await ProgramRun.of(URL(filePath: "/usr/bin/env"), ["pkg-config", "--list-all"])
        var random = SplitMix64(seed: 1)
        var found: [(file: String, selector: String)] = []
        for name in list.standardOutput.split(separator: "\n").compactMap({ $0.split(separator: " ").first }).sorted() {
            let run = try await ProgramRun.of(BuiltProducts.hslink, ["import", "--package", String(name)])
            guard run.status == 0, let json = try? Payload(json: run.standardOutput),
                let description = try? LibraryDescription(json), description.functions.count > 0
            else { continue }
            let file = try directory.write(run.standardOutput, to: "\(found.count).hslink.json")
            found += description.functions.map { (file, $0.selector) }
            let refused = description.refusals.count
            print("\(name): \(description.functions.count) functions can be called, \(refused) are refused")
        }
        return Array(found.shuffled(using: &random).prefix(count))
    }

    @Test("functions chosen at random answer, or are listed as what cannot be known", .enabled(if: count != nil))
    func calls() async throws {
        let directory = try TemporaryDirectory()
        let chosen = try await Self.choose(Self.count ?? 0, directory)
        var crashed: [String] = []
        for (file, selector) in chosen {
            let done = directory.path(of: "done")
            try? FileManager.default.removeItem(atPath: done)
            await withKnownIssue(isIntermittent: true) {
                await #expect(processExitsWith: .success) {
                    [file = file as String, selector = selector as String, done = done as String] in
                    alarm(30)
                    let files = try TemporaryDirectory()
                    try #require(FileManager.default.changeCurrentDirectoryPath(files.path))
                    try await ImportedCallTests.call(selector, of: file)
                    _ = FileManager.default.createFile(atPath: done, contents: nil)
                }
            }
            if !FileManager.default.fileExists(atPath: done) {
                let name = try Payload(json: [UInt8](Data(contentsOf: URL(filePath: file))))["name"]?.string() ?? ""
                crashed.append("\(name): \(selector)")
            }
        }
        print("\(chosen.count) functions called; these ended the process:")
        print(crashed.sorted().map { "  \($0)\n" }.joined())
        #expect(chosen.count == Self.count)
    }

    /// Calls a function 40 times, with handles from other functions of the library.
    private static func call(_ selector: String, of file: String) async throws {
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        let description = try LibraryDescription(Payload(json: text))
        guard let plan = description.functions.first(where: { $0.selector == selector }) else { return }
        try await withDescription(text) { host async throws in
            var values = RandomValues(seed: 7, link: host.link)
            let makers = description.functions.filter { makes(plan, from: $0) }
            for _ in 0..<40 {
                if let maker = makers.randomElement(), let arguments = values.arguments(maker),
                    let made = try? host.callAndWait(description.className, maker.selector, arguments)
                {
                    values.keepHandles(in: made)
                }
                guard let arguments = values.arguments(plan) else { continue }
                _ = try? host.callAndWait(description.className, selector, arguments)
            }
        }
    }

    /// Whether a function makes handles that the other one takes.
    private static func makes(_ plan: FunctionPlan, from maker: FunctionPlan) -> Bool {
        guard case .handle(let kind, _, _) = maker.result else { return false }
        return plan.arguments.contains { argument in
            switch argument.mode {
            case .handle(let wanted), .consumed(let wanted): wanted.name == kind.name
            default: false
            }
        }
    }
}
