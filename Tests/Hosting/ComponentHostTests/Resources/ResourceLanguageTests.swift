import Glibc
import TestSupport
import Testing

@testable import ComponentHost
@testable import ComponentKit

@Suite("Resources in several languages")
struct ResourceLanguageTests {
    @Test(
        "the environment names the languages",
        arguments: [
            ([:], []), (["LANG": "C"], []), (["LANG": "POSIX"], []), (["LANG": "C.UTF-8"], []), (["LANG": ""], []),
            (["LANG": "de_DE.UTF-8"], ["de-DE"]), (["LANG": "de_DE@euro"], ["de-DE"]), (["LANG": "de"], ["de"]),
            (["LANG": "de_DE", "LC_MESSAGES": "fr_CA.UTF-8"], ["fr-CA"]),
            (["LANG": "de_DE", "LC_MESSAGES": "fr_CA", "LC_ALL": "it_IT"], ["it-IT"]),
            (["LANG": "de_DE", "LC_MESSAGES": "", "LC_ALL": ""], ["de-DE"]),
            (["LANG": "de_DE", "LC_ALL": "C"], []),
            (["LANG": "de_DE", "LANGUAGE": "de_AT:de:en"], ["de-AT", "de", "en"]),
            (["LANG": "de_DE", "LANGUAGE": ""], ["de-DE"]), (["LANG": "C", "LANGUAGE": "de"], []),
            (["LANGUAGE": "de"], []),
        ] as [([String: String], [String])])
    func environment(variables: [String: String], languages: [String]) {
        #expect(ResourceLanguages.preferred { variables[$0] } == languages)
    }

    @Test(
        "folders are tried from the language to its parent, then without a language, Base and en",
        arguments: [
            ([], "| Base base en"), (["de"], "de | Base base en"),
            (["de-DE"], "de-DE de_DE de-de de | Base base en"), (["de_DE"], "de-DE de_DE de-de de | Base base en"),
            (["zh-Hant-TW"], "zh-Hant-TW zh_Hant_TW zh-hant-tw zh-Hant zh_Hant zh-hant zh | Base base en"),
            (["de-DE", "fr"], "de-DE de_DE de-de de fr | Base base en"),
            (["de", "de"], "de | Base base en"), (["en"], "en | Base base"),
            (["zh-x-private"], "zh-x-private zh_x_private zh | Base base en"),
            (["", "..", "../de", "de/..", "d e", "de\0", "ä"], "| Base base en"),
        ] as [([String], String)])
    func folders(languages: [String], order: String) {
        let expected = order.split(separator: " ").map { $0 == "|" ? "" : "\($0).lproj" }
        #expect(ResourceLanguages.folders(for: languages) == expected)
    }

    /// The languages of a request, those of the host, and the folder of the file that is found.
    private static let requests: [(request: String?, host: [String], found: String)] = [
        (nil, [], "none"), (nil, ["de-DE"], "de_DE"), (nil, ["de-AT"], "de"), (nil, ["fr", "de"], "fr"),
        (nil, ["it", "de"], "de"), (nil, ["it"], "none"), ("fr", ["de"], "fr"), ("", ["de"], "none"),
        ("it,pt-BR", ["de"], "pt-br"), ("it", ["de"], "none"),
    ]

    @Test("the file of the best language is found", arguments: ResourceReader.allCases)
    func files(reader: ResourceReader) async throws {
        let place = try TemporaryDirectory()
        let folder = "\(reader.component).resources"
        for language in ["de", "de_DE", "fr", "pt-br", "Base", "en"] {
            try place.makeDirectory("\(folder)/\(language).lproj/texts")
            try place.setMode(0o755, of: "\(folder)/\(language).lproj")
            try place.write(language, to: "\(folder)/\(language).lproj/texts/a.txt")
        }
        try place.setMode(0o755, of: folder)
        try place.makeDirectory("\(folder)/texts")
        try place.write("none", to: "\(folder)/texts/a.txt")
        for (request, own, found) in Self.requests {
            let host = try reader.host(in: place, languages: own)
            #expect(await reader.read(host, "texts/a.txt", languages: request) == found, "\(own) \(request ?? "")")
            await host.stop()
        }
        try place.write("only German", to: "\(folder)/de.lproj/texts/b.txt")
        let host = try reader.host(in: place, languages: ["de-DE"])
        #expect(await reader.names(host, in: "texts") == ["a.txt", "b.txt"])
        #expect(await reader.read(host, "texts/b.txt") == "only German")
        #expect(await reader.names(host, in: "texts", languages: "fr") == ["a.txt"])
        #expect(await reader.names(host, in: "texts/deeper") == nil)
        // Without the file for no language, Base comes before en.
        #expect(unsafe unlink(place.path(of: "\(folder)/texts/a.txt")) == 0)
        #expect(await reader.read(host, "texts/a.txt", languages: "it") == "Base")
        #expect(unsafe unlink(place.path(of: "\(folder)/Base.lproj/texts/a.txt")) == 0)
        #expect(await reader.read(host, "texts/a.txt", languages: "it") == "en")
        await host.stop()
    }
}
