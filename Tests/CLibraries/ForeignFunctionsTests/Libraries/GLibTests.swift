import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

/// GLib's regular expressions, against those of perl, and its hash tables.
@Suite("GLib", .enabled(if: SystemLibraries.has("libglib-2.0.so.0")))
struct GLibTests {
    @Test("finds what perl finds", arguments: ["\\w+", "(\\d)(\\d)?", "[äöü]+", "x*", "(?<=a)b"])
    func matches(pattern: String) async throws {
        let text = "ab 12 3 grün äöü, abab x xx"
        try await withLibraries("glib") { host async throws in
            let regex = try await host.call(
                "GLib", "g_regex_new", ["pattern": .string(pattern), "compile_options": 0, "match_options": 0])
            var found: [String] = []
            let answer = try await host.call(
                "GLib", "g_regex_match", ["regex": regex, "string": .string(text), "match_options": 0])
            let info = try #require(answer["match_info"])
            while try await host.call("GLib", "g_match_info_matches", ["match_info": info]) != 0 {
                found.append(
                    try await host.call("GLib", "g_match_info_fetch", ["match_info": info, "match_num": 0]).string())
                _ = try await host.call("GLib", "g_match_info_next", ["match_info": info])
            }
            let run = try await ProgramRun.of(
                URL(filePath: "/usr/bin/perl"),
                ["-CSDA", "-e", "print \"$&\\n\" while $ARGV[1] =~ /$ARGV[0]/g", pattern, text])
            #expect(run.status == 0, "\(run.standardError)")
            #expect(found.map { $0 + "\n" }.joined() == run.standardOutput)
        }
    }

    @Test("says why a pattern is none")
    func errors() async throws {
        try await withLibraries("glib") { host async throws in
            let error = await failure {
                try await host.call(
                    "GLib", "g_regex_new", ["pattern": "(a", "compile_options": 0, "match_options": 0])
            }
            #expect(error?.code == .methodFailed && error?.domain == "glib")
            // G_REGEX_ERROR_UNMATCHED_PARENTHESIS
            #expect(error?.number == 114)
            #expect(error?.message.contains("(a") == true, "\(String(describing: error))")
        }
    }

    @Test("replaces and splits")
    func replacing() async throws {
        try await withLibraries("glib") { host async throws in
            let regex = try await host.call(
                "GLib", "g_regex_new",
                ["pattern": "[aeiou]", "compile_options": "G_REGEX_CASELESS", "match_options": 0])
            #expect(
                try await host.call(
                    "GLib", "g_regex_replace",
                    ["regex": regex, "string": "An apple", "start_position": 0, "replacement": "-", "match_options": 0])
                    == "-n -ppl-")
            #expect(
                try await host.call(
                    "GLib", "g_regex_split", ["regex": regex, "string": "An apple", "match_options": 0])
                    == ["", "n ", "ppl", ""])
        }
    }

    @Test("keeps any values in a hash table with its own functions")
    func table() async throws {
        try await withLibraries("glib") { host async throws in
            let table = try await host.call(
                "GLib", "g_hash_table_new", ["hash_func": "g_str_hash", "key_equal_func": "g_str_equal"])
            for number in 0..<100 {
                _ = try await host.call(
                    "GLib", "g_hash_table_insert",
                    ["hash_table": table, "key": .string("key \(number)"), "value": ["number": Payload(number)]])
            }
            #expect(try await host.call("GLib", "g_hash_table_size", ["hash_table": table]) == 100)
            #expect(
                try await host.call("GLib", "g_hash_table_lookup", ["hash_table": table, "key": "key 42"])
                    == ["number": 42])
            #expect(
                try await host.call("GLib", "g_hash_table_lookup", ["hash_table": table, "key": "none"]).isNull)
            let sum = Lock(0)
            let add = host.link.typedClosure { (key: String, value: [String: Int]) -> Bool in
                #expect(key == "key \(value["number"] ?? -1)")
                sum.withLock { $0 += value["number"] ?? 0 }
                return true
            }
            _ = try await host.call("GLib", "g_hash_table_foreach", ["hash_table": table, "func": add])
            #expect(sum.withLock { $0 } == 4950)
            let error = await failure {
                try await host.call(
                    "GLib", "g_hash_table_new", ["hash_func": "g_str_equal", "key_equal_func": "g_str_equal"])
            }
            #expect(error?.code == .payloadMismatch)
        }
    }

    @Test("concatenates as many texts as there are")
    func concatenating() async throws {
        try await withLibraries("glib") { host async throws in
            #expect(try await host.call("GLib", "g_strconcat", ["string1": "a", "...": ["b", "cd"]]) == "abcd")
            #expect(try await host.call("GLib", "g_strconcat", ["string1": "a"]) == "a")
        }
    }
}
