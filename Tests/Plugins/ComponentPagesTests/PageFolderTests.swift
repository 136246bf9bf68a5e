import ComponentHost
import Foundation
import HostContract
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("What is said about page files and their folder")
struct PageFolderTests {
    /// Returns the lines that ComponentPages has logged.
    private func log(of host: LinkHost) async throws -> [String] {
        try await host.service(HostServiceClient.self).log(after: nil)
            .filter { $0.component == "ComponentPages" }.map(\.message)
    }

    @Test("a second file with the same page is logged, and files in YAML are listed")
    func unused() async throws {
        let place = try PagePlace()
        try place.write(page: "mine", #"{"module": "test.text"}"#)
        try place.write(#"{"page": "mine", "sections": []}"#, to: "other.json")
        try place.write("page: yours", to: "yours.yaml")
        try await place.withPages(keepsLog: true) { host, pages, _ in
            let listed = try await pages.pages()
            let yours = try #require(listed.first { $0.source == "\(place.folder)/yours.yaml" })
            #expect(
                yours.problems.map(\.message) == ["page files are JSON; write the page as a file NAME.json"])
            #expect(
                try await log(of: host).contains(
                    "\(place.folder)/other.json: not used: \(place.folder)/mine.json has the page \"mine\" already"))
        }
    }

    @Test("files and folders that others can change are not read, unless that is configured")
    func distrust() throws {
        let place = try TemporaryDirectory()
        let path = place.path
        try place.write(Array("{}".utf8), to: "a.json")
        let folder = PageFolder(path: path)
        #expect(folder.problem == nil)
        #expect(folder.stamps().files.map(\.problem) == [nil])
        try place.setMode(0o666, of: "a.json")
        let problem = try #require(folder.stamps().files.first?.problem)
        #expect(problem.hasPrefix("the file is writable by everyone"))
        #expect(PageFolder(path: path, trustsAny: true).stamps().files.map(\.problem) == [nil])
        let inner = try place.makeDirectory("inner")
        try place.setMode(0o777, of: "inner")
        #expect(PageFolder(path: inner).problem?.hasPrefix("the folder is writable by everyone") == true)
        #expect(PageFolder(path: inner).stamps().files.isEmpty)
        #expect(PageFolder(path: inner, trustsAny: true).problem == nil)
    }

    @Test("a folder that is named and not there, or no folder, is a problem")
    func missing() throws {
        let place = try TemporaryDirectory()
        #expect(
            PageFolder(path: place.path(of: "none")).problem
                == "the folder of page files cannot be read: No such file or directory")
        let file = try place.write(Array("{}".utf8), to: "a.json")
        #expect(PageFolder(path: file).problem == "expected a folder of page files, found a file")
        #expect(PageFolder(making: place.path(of: "none/pages")).problem == nil)
    }

    @Test("the log has the page and the reason where a section shows its fallback or a failure")
    func reasons() async throws {
        let place = try PagePlace()
        try place.write(
            page: "mine", #"{"module": "nobody.has", "fallback": {"text": "no"}}"#,
            #"{"module": "test.throws", "fallback": {"text": "no"}}"#)
        try place.write(page: "other", #"{"module": "test.throws"}"#, #"{"module": "nobody.has"}"#)
        try await place.withPages(keepsLog: true) { host, pages, _ in
            #expect(await pages.shows("mine", ["nobody.has fallback: no", "test.throws fallback: no"]))
            _ = try await pages.settled("other")
            let lines = try await log(of: host)
            let missing =
                "page mine, section nobody.has: No component offers the module nobody.has. The fallback is shown."
            #expect(lines.filter { $0 == missing }.count == 1, "\(lines)")
            let leftOut =
                "page other, section nobody.has: No component offers the module nobody.has. The section is left out."
            #expect(lines.contains(leftOut), "\(lines)")
            #expect(
                lines.contains {
                    $0.hasPrefix("page mine, section test.throws: The module test.throws of ")
                        && $0.hasSuffix(" The fallback is shown.")
                }, "\(lines)")
            #expect(
                lines.contains {
                    $0.hasPrefix("page other, section test.throws: The module test.throws of ")
                        && !$0.hasSuffix(" The fallback is shown.")
                }, "\(lines)")
        }
    }

    @Test("data may be left out if all its fields have defaults, and null is not a default")
    func defaults() async throws {
        let place = try PagePlace()
        try place.write(page: "mine", #"{"module": "test.rows"}"#)
        try place.write(page: "wrong", #"{"module": "test.rows", "data": {"count": null}}"#)
        try await place.withPages { _, pages, _ in
            let page = try await pages.settled("mine")
            #expect(page.sections.map(\.state) == [.shown], "\(page.summaries)")
            let listed = try await pages.pages()
            #expect(listed.first { $0.id == "mine" }?.problems == [])
            #expect(
                listed.first { $0.id == "wrong" }?.problems.map(\.message) == [
                    "count: expected an integer, found null"
                ])
        }
    }
}
