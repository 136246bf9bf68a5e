import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ForeignFunctions

/// Calls everything that the descriptions of the tests describe, with random values of the right types. Each
/// description has a process of its own, because a wrong one may end it.
@Suite("Random calls")
struct RandomCallTests {
    /// What a description cannot say of a function, so that wrong calls do harm.
    private static let excluded: [String: Set<String>] = [
        // The index must be less than the number of lines that were set before; the function must still be there;
        // the count must not be more than the items that are there.
        "plain": ["plain_line", "plain_call_remembered", "plain_items"],
        // The thread must be one that pthread_create has returned; dividing by zero ends the process; file descriptors
        // belong to somebody; nftw reserves memory for as many directories as it may open, up to 17 GB.
        "libc": ["pthread_join", "div", "ldiv", "lldiv", "read", "write", "close", "nftw"],
        // It looks the number up in a table, without a check.
        "zlib": ["zError"],
        // The input must be set once, and before anything is parsed: libyaml ends the process otherwise.
        "yaml": ["yaml_parser_initialize", "yaml_parser_set_input_string"],
    ]

    /// What else is left out with the thread sanitizer: it does not know a thread that C starts through libffi, and the
    /// first code of ours on it, the closure, ends the process.
    private static let excludedByThreadSanitizer: [String: Set<String>] = ["libc": ["pthread_create"]]

    /// Makes random calls of the functions of a description.
    ///
    /// - Returns: How many calls had a result, and how many were errors.
    static func run(_ name: String, seed: UInt64, count: Int) async throws -> (answered: Int, failed: Int) {
        let file = BuiltProducts.packageDirectory.appending(path: "Tests/Descriptions/\(name).hslink.json")
        let description = try LibraryDescription(Payload(json: [UInt8](try Data(contentsOf: file))))
        var left = excluded[name] ?? []
        if BuiltProducts.sanitizer == "thread" { left.formUnion(excludedByThreadSanitizer[name] ?? []) }
        let plans = description.functions.filter { !left.contains($0.selector) }
        let log = CallLog(name)
        return try await withLibraries(name) { host async throws in
            var values = RandomValues(seed: seed, link: host.link)
            var (answered, failed) = (0, 0)
            while answered + failed < count {
                let plan = values.pick(plans)
                if name == "yaml" { try values.keepHandles(in: parser(host)) }
                guard let arguments = values.arguments(plan) else { continue }
                log?.add("\(plan.selector) \(arguments)")
                do throws(LinkError) {
                    values.keepHandles(in: try host.callAndWait(description.className, plan.selector, arguments))
                    answered += 1
                } catch {
                    failed += 1
                }
            }
            return (answered, failed)
        }
    }

    private static func parser(_ host: LinkHost) throws -> Payload {
        let made = try host.callAndWait("YAML", "yaml_parser_initialize", [:])
        _ = try host.callAndWait(
            "YAML", "yaml_parser_set_input_string", ["parser": made["parser"] ?? .null, "input": "a: [1, &x b]\nc: *x"])
        return made
    }

    /// The descriptions, each with the library that it needs.
    private static let descriptions: [(name: String, library: String?)] = [
        ("plain", nil), ("memory", nil), ("tree", nil), ("libm", nil), ("libc", nil), ("zlib", "libz.so.1"),
        ("sqlite", "libsqlite3.so.0"), ("crypto", "libcrypto.so.3"), ("expat", "libexpat.so.1"),
        ("curl", "libcurl.so.4"), ("glib", "libglib-2.0.so.0"), ("lzma", "liblzma.so.5"), ("zstd", "libzstd.so.1"),
        ("xmlreader", "libxml2.so.2"), ("yaml", "libyaml-0.so.2"), ("png", "libpng16.so.16"),
    ]

    @Test("a thousand calls end with a result or an error, and nothing else happens", arguments: descriptions)
    func calls(name: String, library: String?) async {
        if let library, !SystemLibraries.has(library) { return }
        await #expect(processExitsWith: .success) { [name = name as String] in
            // A call that does not return ends the process too.
            alarm(UInt32(TestPatience.seconds(120)))
            // Some functions make files with random names.
            let directory = try TemporaryDirectory()
            try #require(FileManager.default.changeCurrentDirectoryPath(directory.path))
            try await RandomCallTests.check(name)
        }
    }

    static func check(_ name: String) async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["HSLINK_SEED"].flatMap { UInt64($0) } ?? 1
        let (answered, failed) = try await run(name, seed: seed, count: 1000)
        // Values of the right types are mostly accepted.
        #expect(answered > 200, "\(name): \(answered) results, \(failed) errors")
    }
}

/// A file whose last line tells which call has ended the process.
struct CallLog {
    private let file: FileHandle

    /// Creates a file where HSLINK_CALL_LOG names a folder; nil if it names none.
    init?(_ name: String) {
        guard let folder = ProcessInfo.processInfo.environment["HSLINK_CALL_LOG"] else { return nil }
        self.init(path: "\(folder)/\(name).log")
    }

    init?(path: String) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { return nil }
        self.file = file
    }

    func add(_ line: String) { file.write(Data("\(line.prefix(2000))\n".utf8)) }
}
