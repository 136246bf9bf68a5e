import Foundation
import TestSupport
import Testing

@Suite("Components in C and C++ that hslink new has made from a contract")
struct ProvidedContractTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func make(_ words: String...) async throws -> ProgramRun {
        try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"), ["make", "-C", directory.path(of: "Weather")] + words,
            environment: ["MAKEFLAGS": nil, "MAKELEVEL": nil])
    }

    private func new(_ words: String..., input: String? = nil) async throws -> ProgramRun {
        try await ProgramRun.of(
            BuiltProducts.hslink, ["new", "component", "Weather", "--path", directory.path] + words, input: input)
    }

    /// With a parameter and a selector that are words of C, models in models, an enum, and a type without a sample.
    private static let contract = #"""
        {"name": "Other", "version": "1.0.0",
         "services": [{"name": "com.example.items/1", "module": "ItemContract", "protocol": "ItemService", "selectors": [
            {"name": "watch", "result": "AsyncThrowingStream<Item, any Error>"},
            {"name": "double", "summary": "Finds */ an item?\\?/", "result": "Item", "parameters": {
                "default": "string", "most": "Int = 10", "kind": "Kind", "nick": "String??", "größe": "Double"}},
            {"name": "first", "kind": "class", "result": "[Item]?"},
            {"name": "first", "result": "Bool", "parameters": {"requires": "Bool?", "not_eq": "Int?", "static_cast": "Int?"}},
            {"name": "forget", "parameters": {"id": "UUID"}}]}],
         "models": [
            {"module": "ItemContract", "name": "Item", "fields": {"name": "String", "price": "Double", "kind": "Kind",
             "parts": "[Item]", "place": "Item.Place", "note": "String?", "made": "Date"}},
            {"module": "ItemContract", "name": "Item.Place", "fields": {"row": "Int8", "shelf": "Shelf"}},
            {"module": "ItemContract", "name": "Shelf", "raw": "Int", "cases": {"top": "3", "low": "1"}},
            {"module": "ItemContract", "name": "Kind", "cases": {"gift": {"card": "String"}, "plain": {}}},
            {"module": "ItemContract", "name": "Refusal", "error": true, "cases": {"soldOut": {}}},
            {"module": "ItemContract", "name": "Unrelated", "fields": {}}]}
        """#

    @Test("they build without a warning, answer with samples, and pass their test", arguments: ["c", "cxx"])
    func builds(language: String) async throws {
        let file = try directory.write(Self.contract, to: "contract.json")
        let made = try await new("--\(language)", "--provides", file)
        try #require(made.status == 0, "\(made)")
        let built = try await make()
        try #require(built.status == 0, "\(built)")
        #expect(built.standardError == "")
        let library = directory.path(of: "Weather/.build/libWeather.so")
        #expect(try await exportedSymbols(of: library) == ["hslink_component"])

        // The printed call is the last line; `watch` has no sample of its answer.
        let call = try #require(made.standardOutput.split(separator: "\n").last)
        #expect(call.contains(" WeatherLink double default=text "), "\(call)")
        let answer = try await ProgramRun.of(URL(filePath: "/bin/sh"), ["-c", String(call)])
        #expect(answer.status == 0, "\(answer)")
        for line in [#""name": "text""#, #""kind": "plain""#, #""row": 0"#, #""shelf": 3"#] {
            #expect(answer.standardOutput.contains(line), "\(answer)")
        }
        #expect(!answer.standardOutput.contains("note"))
        let tested = try await make("test", "HSLINK=\(BuiltProducts.hslink.path)")
        #expect(tested.status == 0, "\(tested)")

        let plugins = ["--plugins", directory.path(of: "Weather/.build")]
        #expect(try await hslink(["call", "WeatherLink", "first", "--class-method"] + plugins) == printed("null"))
        let later = try await hslink(["call", "WeatherLink", "watch"] + plugins)
        #expect(later == failed("Error: watch of WeatherLink in Weather: watch is not written yet"))
        let wrong = try await hslink(["call", "WeatherLink", "forget", #"{"id": 1}"#] + plugins)
        #expect(wrong == failed("Error: forget of WeatherLink in Weather: id: expected a string, found int"))
        let missing = try await hslink(["call", "WeatherLink", "forget"] + plugins)
        #expect(missing == failed("Error: forget of WeatherLink in Weather: id: expected UUID, found nothing"))

        let listed = try await hslink("inspect", library).standardOutput
        #expect(listed.contains("provides com.example.items/1"), "\(listed)")
        #expect(listed.contains("double(default: String, most: Int = 10"), "\(listed)")
        #expect(listed.contains("Refusal") && !listed.contains("Unrelated"), "\(listed)")
    }

    @Test("a consumer that was compiled with the contract accepts the provider")
    func provides() async throws {
        try await withPlugins("Shop") { plugins async throws in
            let words = ["call", "ShopLink", "provides", "service=com.example.account/1", "--class-method"]
            #expect(try await hslink(words + ["--plugins", plugins.path]) == printed("false"))
            let made = try await new("--c", "--provides", plugins.file("libShop.so"))
            try #require(made.status == 0, "\(made)")
            let built = try await make()
            try #require(built.status == 0, "\(built)")
            let folders = ["--plugins", plugins.path, "--plugins", directory.path(of: "Weather/.build")]
            #expect(try await hslink(words + folders) == printed("true"))
        }
    }

    @Test("the JSON of hslink inspect comes from standard input, too")
    func input() async throws {
        try await withPlugins("AccountsOld") { plugins async throws in
            let report = try await hslink("inspect", plugins.file("libAccountsOld.so"), "--json")
            try #require(report.status == 0, "\(report)")
            let made = try await new("--c", "--provides", "-", input: report.standardOutput)
            #expect(made.status == 0, "\(made)")
            let source = try String(contentsOfFile: directory.path(of: "Weather/Weather.c"), encoding: .utf8)
            #expect(source.contains("HSLINK_CLASS_METHOD, 0, class_signIn, NULL"))
        }
    }

    @Test("a contract that cannot be provided is refused with what to do, and nothing is made")
    func refused() async throws {
        let service = #"{"name": "a/1", "protocol": "A", "selectors": [{"name": "b"}]}"#
        let cases = [
            (#"{"name": "N", "version": "1.0.0"}"#, [], "describes no service; pass the file of a component that"),
            ("[]", [], "expected the JSON of 'hslink inspect FILE --json': "), ("x", [], "expected the JSON of"),
            (
                #"{"name": "N", "version": "1.0.0", "services": [\#(service), {"name": "c/1", "protocol": "C"}]}"#, [],
                "describes several services (a/1, c/1); choose one with --service"
            ),
            (
                #"{"name": "N", "version": "1.0.0", "services": [\#(service)]}"#, ["--service", "b/1"],
                "describes no service b/1, but a/1"
            ),
            (
                #"{"name": "N", "version": "1.0.0", "services": [{"name": "c/1", "protocol": "C"}]}"#, [],
                "c/1 has no selectors"
            ),
            (
                #"{"name": "N", "version": "1.0.0", "services": [{"name": "c/1", "protocol": "C", "arguments": "Int"}]}"#,
                [], "instances of c/1 are made with arguments"
            ),
        ]
        for (text, options, reason) in cases {
            let file = try directory.write(text, to: "contract.json")
            let words = ["new", "component", "Weather", "--c", "--path", directory.path, "--provides", file]
            let run = try await hslink(words + options)
            #expect(run.status == 1, "\(run)")
            #expect(run.standardError.hasPrefix("Error: \(file): "), "\(run)")
            #expect(run.standardError.contains(reason), "\(run)")
            #expect(!FileManager.default.fileExists(atPath: directory.path(of: "Weather")))
        }
    }
}
