import Foundation
import TestSupport
import Testing

@Suite("hslink page and hslink pages")
struct PageCommandTests {
    private static let nobody =
        "Error: no component provides pages (org.hslink.pages/1): put libComponentPages.so into the plugin directory"

    @Test(
        "without a provider of the service, the commands say what is missing",
        arguments: [["page", "home"], ["pages"]])
    func nobody(arguments: [String]) async throws {
        try await withPlugins("CGood") { plugins in
            #expect(try await hslink(arguments + ["--plugins", plugins.path]) == failed(Self.nobody))
            let running = try await RunningHost.start(["--plugins", plugins.path])
            #expect(try await hslink(arguments + ["--host", running.socket]) == failed(Self.nobody))
            #expect(await running.end() == 0)
        }
        let missing = try await hslink(arguments + ["--host", "/nonexistent/sock"])
        #expect(missing.status == 1)
    }

    @Test(
        "with a provider that is disabled, the commands name the setting",
        .enabled(if: ComponentTests.isBuilt("ComponentPages")), arguments: [["page", "home"], ["pages"]])
    func disabled(arguments: [String]) async throws {
        try await withPlugins("ComponentPages") { plugins in
            let options = ["--plugins", plugins.path, "--set", "host.components.ComponentPages.enabled=false"]
            let run = try await hslink(arguments + options)
            #expect(run.status == 1)
            #expect(run.standardError.contains("is disabled by host.components.ComponentPages.enabled"), "\(run)")
            #expect(!run.standardError.contains("put libComponentPages.so"))
        }
    }

    @Test(
        "mistakes on the command line are found before anything is done",
        arguments: [
            (["page", ""], "expected the name of a page"),
            (["page", "home", "a"], "expected value=text after the page, found \"a\""),
            (["page", "home", "=a"], "expected value=text after the page"),
            (["page", "home", "--yes"], "add --perform"),
            (["page", "home", "--perform", "a"], "expected an address such as addresses/1/deleteAddress, found 'a'"),
            (["page", "home", "--perform", "a/b", "--watch"], "--perform and --watch cannot be combined"),
            (["page", "home", "--watch", "--deadline", "1"], "--watch and --deadline cannot be combined"),
            (["page", "home", "--perform", "a/b", "x"], "expected field=value after the page, found 'x'"),
            (["page", "home", "--perform", "a/b", "x=1", "x=2"], "the field 'x' is given twice"),
            (["page", "home", "--host", "s", "--plugins", "p"], "--host and --plugins cannot be combined"),
            (["pages", "--host", "s", "--set", "A.b=1"], "--host and --set cannot be combined"),
        ])
    func usage(arguments: [String], message: String) async throws {
        let run = try await hslink(arguments)
        #expect(run.status == 64)
        #expect(run.standardError.contains(message), "\(run.standardError)")
        #expect(run.standardOutput == "")
    }

    @Test("all mistakes of a page file are told", .enabled(if: ComponentTests.isBuilt("ComponentPages")))
    func mistakes() async throws {
        try await withPlugins("ComponentPages") { plugins in
            try FileManager.default.createDirectory(atPath: plugins.file("pages"), withIntermediateDirectories: false)
            try plugins.write(
                #"{"page": "mine", "titel": "", "sections": [{"module": "no.one"}, {"module": "no.two"}]}"#,
                to: "pages/mine.json")
            let folder = plugins.file("pages")
            let run = try await hslink(
                "pages", "--plugins", plugins.path, "--set", "ComponentPages.directory=\(folder)")
            #expect(run.status == 0)
            for problem in [
                #"1:27: unknown key "titel"; did you mean "title"?"#,
                #"1:55: no component offers the module "no.one""#, #"1:77: no component offers the module "no.two""#,
            ] {
                #expect(run.standardOutput.contains("\(folder)/mine.json:\(problem)\n"), "\(run)")
            }
        }
    }

    @Test("names of pages are completed by the host; without one there are none")
    func completion() async throws {
        try await withPlugins("CGood") { plugins in
            let line = ["hslink", "--plugins", plugins.path, "page", ""]
            let run = try await ProgramRun.of(
                BuiltProducts.hslink, ["---completion", "page", "--", "positional@0", "4", "0"] + line,
                environment: ["SAP_SHELL": "bash"])
            #expect(run.status == 0, "\(run)")
            #expect(run.standardOutput.split(separator: "\n").isEmpty)
        }
    }
}
