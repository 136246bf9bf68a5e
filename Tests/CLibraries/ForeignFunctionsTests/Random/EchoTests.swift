import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ForeignFunctions

@Suite("Generated libraries")
struct EchoTests {
    /// How long random tests run; nil for one round.
    static var seconds: Double? { ProcessInfo.processInfo.environment["HSLINK_FUZZ_SECONDS"].flatMap { Double($0) } }

    @Test("what goes into a function of random types comes out unchanged")
    func echo() async {
        await #expect(processExitsWith: .success) {
            let end = Date().addingTimeInterval(EchoTests.seconds ?? 0)
            // The loader takes a new file with the number of a deleted one for the library that it has loaded.
            var directories: [TemporaryDirectory] = []
            // The first three once had functions whose structs were passed wrongly.
            var seeds: [UInt64] = [383, 493, 543, 1]
            repeat {
                for seed in seeds {
                    directories.append(try TemporaryDirectory())
                    try await EchoTests.round(seed, in: directories[directories.count - 1])
                }
                seeds = [seeds[seeds.count - 1] + 1]
            } while Date() < end
        }
    }

    /// Compiles a library, and calls all of its functions with random values.
    private static func round(_ seed: UInt64, in directory: TemporaryDirectory) async throws {
        let echo = EchoLibrary(seed: seed)
        let file = directory.path(of: "libecho.so")
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            ["clang", "-shared", "-fPIC", "-O1", "-o", file, try directory.write(echo.source, to: "echo.c")])
        try #require(run.status == 0, "\(run.standardError)\n\(echo.source)")
        let text = echo.description(file)
        let description = try LibraryDescription(Payload(json: text))
        // Some structs cannot be passed by value, which is said; the others are.
        for refusal in description.refusals where !refusal.reason.contains("by value") {
            Issue.record("seed \(seed): \(refusal.name): \(refusal.reason)\n\(echo.source)")
        }
        try await withDescription(text) { host async throws in
            var values = RandomValues(seed: seed, link: host.link)
            values.isWhole = true
            let log = CallLog("echo")
            for plan in description.functions {
                for _ in 0..<10 {
                    guard let arguments = values.arguments(plan) else { continue }
                    log?.add("seed \(seed): \(plan.selector) \(arguments)")
                    let answer = try host.callAndWait("Echo", plan.selector, arguments)
                    for (name, value) in try arguments.entries() where name.hasPrefix("i") {
                        let found = answer["o\(name)"] ?? .null
                        #expect(
                            found.sameBytes(as: value),
                            "seed \(seed): \(plan.selector): \(name): \(value) became \(found)\n\(echo.source)")
                    }
                }
            }
        }
    }
}

extension Payload {
    /// Returns whether two values are equal, where small numbers may have another kind.
    fileprivate func sameBytes(as other: Payload) -> Bool {
        if self == other { return true }
        return description == other.description
    }
}
