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
        let seed = ProcessInfo.processInfo.environment["HSLINK_SEED"].flatMap { UInt64($0) } ?? 1
        var random = SplitMix64(seed: seed)
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

    @Test("functions chosen at random answer, or it is listed why they cannot be known to", .enabled(if: count != nil))
    func calls() async throws {
        let directory = try TemporaryDirectory()
        let chosen = try await Self.choose(Self.count ?? 0, directory)
        var crashed: [String] = []
        for (file, selector) in chosen {
            let calls = directory.path(of: "calls.log")
            await withKnownIssue(isIntermittent: true) {
                await #expect(processExitsWith: .success) {
                    [file = file as String, selector = selector as String, calls = calls as String] in
                    alarm(UInt32(TestPatience.seconds(10)))
                    let files = try TemporaryDirectory()
                    try #require(FileManager.default.changeCurrentDirectoryPath(files.path))
                    let log = try #require(CallLog(path: calls))
                    try await ImportedCallTests.call(selector, of: file, log)
                    log.add(ImportedCallTests.end)
                }
            }
            let last = try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n").last ?? "no call"
            if last != Self.end {
                let name = try Payload(json: [UInt8](Data(contentsOf: URL(filePath: file))))["name"]?.string() ?? ""
                let reason = Self.reason(name, last.prefix { $0 != " " })
                if reason == nil { Issue.record("\(name): \(last.prefix(200)) ended the process") }
                crashed.append("\(name): \(selector) at \(last.prefix(100))\(reason.map { " (\($0))" } ?? "")")
            }
        }
        print("\(chosen.count) functions called; these ended the process:")
        print(crashed.sorted().map { "  \($0)\n" }.joined())
        #expect(chosen.count == Self.count)
    }

    /// What headers and descriptions cannot say, so that some calls end the process: the calls that do, by libraries.
    private static let unknowable: [String: [(calls: Set<String>, reason: String)]] = [
        "fontconfig": [(["FcWeightToOpenTypeDouble"], "it ends the process for what is not a number")],
        "fribidi": [(["fribidi_char_set_title"], "the enum has values that are no character sets")],
        "libarchive": [(["archive_*"], "handles for reading and for writing have the same type")],
        "libgcrypt": [
            (["_gcry_mpi_get_const", "gcry_mpi_clear_flag"], "other numbers than its own end the process"),
            (["gcry_mpi_powm"], "it divides by zero for a modulus of zero"),
            (["gcry_mpi_set_highbit", "gcry_mpi_set_bit"], "the number of the bit decides how much memory is taken"),
            (["gcry_mpi_point_snatch_set"], "it takes over the handles, which its name does not say"),
        ],
        "liblzma": [(["lzma_index_cat", "lzma_index_dup"], "lzma_index_cat takes the second index over")],
        "libsodium": [(["sodium_base64_encoded_len"], "other numbers than its own end the process")],
        "ncurses": [(["*"], "initscr must be called before")],
        "readline": [(["rl_*"], "rl_initialize must be called before, and some wait for a terminal")],
        "sqlite3": [(["sqlite3_database_file_object"], "the text must be one that SQLite has passed to a callback")],
        "zlib": [(["crc32_combine_op"], "the number must be one that crc32_combine_gen has returned")],
    ]

    /// Returns why nothing could be done about a call that ended the process; nil if that is not known.
    private static func reason(_ library: String, _ call: Substring) -> String? {
        unknowable[library]?.first { entry in
            entry.calls.contains { $0.hasSuffix("*") ? call.hasPrefix($0.dropLast()) : call == $0 }
        }?.reason
    }

    /// The last line of the log of a process that was not ended by a call.
    private static let end = "end"

    /// Calls a function 40 times, with handles from other functions of the library.
    private static func call(_ selector: String, of file: String, _ log: CallLog) async throws {
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        let description = try LibraryDescription(Payload(json: text))
        guard let plan = description.functions.first(where: { $0.selector == selector }) else { return }
        try await withDescription(text) { host async throws in
            var values = RandomValues(seed: 7, link: host.link)
            let makers = description.functions.filter { makes(plan, from: $0) }
            for _ in 0..<40 {
                if !makers.isEmpty, case let maker = values.pick(makers), let arguments = values.arguments(maker) {
                    log.add("\(maker.selector) \(arguments)")
                    if let made = try? host.callAndWait(description.className, maker.selector, arguments) {
                        values.keepHandles(in: made)
                    }
                }
                guard let arguments = values.arguments(plan) else { continue }
                log.add("\(selector) \(arguments)")
                _ = try? host.callAndWait(description.className, selector, arguments)
            }
        }
    }

    /// Whether a function makes handles that the other one takes.
    private static func makes(_ plan: FunctionPlan, from maker: FunctionPlan) -> Bool {
        guard case .handle(let kind, _, _) = maker.result else { return false }
        return plan.arguments.contains { argument in
            switch argument.mode {
            case .handle(let wanted), .consumed(let wanted, _): wanted.name == kind.name
            default: false
            }
        }
    }
}
