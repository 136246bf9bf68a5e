import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("Page files")
struct PageFileTests {
    static let wrongFiles: [(text: String, problems: [String])] = [
        ("", ["1:1 expected a value, found the end of the text"]),
        ("{\n\"page\": \"a\",\n}", ["3:1 expected a key in quotes, found '}'"]),
        ("[]", ["1:1 expected a page as an object, found array"]),
        ("null", ["1:1 expected a page as an object, found null"]),
        (
            "{}",
            [
                #"1:1 expected "page" with a name such as "home", found nothing"#,
                #"1:1 expected "sections" with an array, found nothing"#,
            ]
        ),
        (
            "{\"page\": \"a b\",\n \"sections\": [],\n \"titel\": 1, \"delegate\": 2}",
            [
                #"3:11 unknown key "titel"; did you mean "title"?"#,
                #"1:10 expected 1 to 128 letters, digits, "_", "." or "-", found "a b""#,
                #"3:26 expected "delegate" with a name such as "member.frame", found int"#,
            ]
        ),
        (
            "{\"page\": \"a\", \"sections\": [\n  7,\n  {\"module\": \"x\", \"columns\": 13, \"inset\": \"a\", \"folded\": 1},\n  {}]}",
            [
                "2:3 expected a section as an object, found int",
                "3:30 expected an integer from 1 to 12", "3:43 expected an integer from 0 to 10",
                "3:58 expected true or false, found int",
                #"4:3 expected "module" with a name such as "owner.addresses", found nothing"#,
            ]
        ),
        (
            "{\"page\": \"a\", \"values\": 1, \"sections\": [\n{\"module\": \"x\", \"values\": 1},\n"
                + "{\"module\": \"y\", \"values\": true, \"data\": 1}]}",
            [
                #"1:25 expected "values" with a name such as "owner.address", found int"#,
                "2:27 expected true or false, found int",
                #"3:41 the data of the section are the values of the page; leave "data" out"#,
            ]
        ),
        (
            "{\"page\": \"a\", \"position\": 1001, \"parent\": \"a\", \"sections\": []}",
            ["1:27 expected an integer from 0 to 1000", "1:43 a page is not above itself; name another one"]
        ),
        (
            "{\"page\": \"a\", \"sections\": [\n{\"module\": \"x\", \"values\": true}]}",
            [#"2:27 the page takes no values; name the module whose model they are as its "values""#]
        ),
        (
            "{\"page\": \"a\", \"sections\": [{\"module\": \"x\"},\n{\"module\": \"x\"}, {\"module\": \"y\", \"name\": \"frame\"}]}",
            [
                #"2:1 two sections are called "x"; give this one another "name""#,
                #"2:18 a section cannot be called "frame""#,
            ]
        ),
        (
            "{\"page\": \"a\", \"sections\": [{\"module\": \"x\", \"fallback\": \"no\", \"hidden\": \"y\"},\n"
                + "{\"module\": \"y\", \"fallback\": {}, \"hidden\": {}},\n"
                + "{\"module\": \"z\", \"fallback\": {\"text\": \"\\u001b\"}, \"hidden\": {\"when\": \"y\"}}]}",
            [
                "1:56 expected {\"text\": …}, found string",
                "1:72 expected {\"if\": …} or {\"unless\": …} with the name of a condition, found string",
                "2:29 expected \"text\", found nothing", "2:43 expected \"if\" or \"unless\", found neither",
                "3:38 expected no control characters except line breaks, found U+1B",
                #"3:68 unknown key "when""#, "3:59 expected \"if\" or \"unless\", found neither",
            ]
        ),
        (
            "{\"page\": \"a\", \"sections\": [\n{\"module\": \"x\", \"itemSpace\": 11, \"lineSpace\": -1, \"folded\": {}},\n"
                + "{\"module\": \"y\", \"header\": \"x\", \"folded\": {\"when\": true, \"if\": 1}},\n"
                + "{\"module\": \"z\", \"header\": {\"modul\": \"x\", \"values\": true, \"data\": 1}}]}",
            [
                "2:30 expected an integer from 0 to 10", "2:47 expected an integer from 0 to 10",
                "2:61 expected \"if\" or \"unless\", found neither", #"3:51 unknown key "when""#,
                #"3:63 expected "if" with a name such as "account.signedIn", found int"#,
                "3:42 expected \"if\" or \"unless\", found neither", "3:27 expected {\"module\": …}, found string",
                #"4:37 unknown key "modul"; did you mean "module"?"#,
                #"4:66 the data of the section are the values of the page; leave "data" out"#,
                #"4:27 expected "module" with a name such as "image.filter", found nothing"#,
            ]
        ),
        (
            "{\"page\": \"a\", \"sections\": [\n{\"module\": \"x\", \"header\": {\"module\": \"y\", \"values\": true}},\n"
                + "{\"module\": \"z\", \"name\": \"x.header\"}, {\"module\": \"x\", \"header\": {\"module\": \"y\"}}]}",
            [
                #"2:53 the page takes no values; name the module whose model they are as its "values""#,
                #"3:1 two sections are called "x.header"; give this one another "name""#,
                #"3:38 two sections are called "x"; give this one another "name""#,
            ]
        ),
    ]

    @Test("tell only the first of many problems")
    func manyProblems() {
        let keys = (0..<5_000).map { #""k\#($0)": 0"# }.joined(separator: ",\n")
        let read = PageReader.read(#"{"page": "a", "sections": [],\#n\#(keys)}"#)
        #expect(read.problems.count == PageReader.mostProblems)
        #expect(read.problems.last?.line == 1 + PageReader.mostProblems)
    }

    @Test("show the beginning of a text that is wrong, however many marks a character has")
    func marks() {
        let name = "e" + String(repeating: "\u{301}", count: 5000)
        for text in [#"{"page": "a", "sections": [], "\#(name)": 0}"#, #"{"page": "\#(name)", "sections": []}"#] {
            let problems = PageReader.read(text).problems
            #expect(problems.count == 1)
            #expect(problems.allSatisfy { $0.message.utf8.count < 300 })
        }
    }

    @Test("are read again when a link on the way to them is exchanged, as in a mounted Kubernetes volume")
    func exchangedLinks() async throws {
        let place = try PagePlace()
        let files = FileManager.default
        for (folder, page) in [("..1", "one"), ("..2", "two")] {
            try files.createDirectory(atPath: "\(place.folder)/\(folder)", withIntermediateDirectories: false)
            try place.write(#"{"page": "\#(page)", "sections": []}"#, to: "\(folder)/a.json")
        }
        try files.createSymbolicLink(atPath: "\(place.folder)/..data", withDestinationPath: "..1")
        try files.createSymbolicLink(atPath: "\(place.folder)/a.json", withDestinationPath: "..data/a.json")
        try await place.withPages { _, pages, _ in
            #expect(try await pages.pages().contains { $0.id == "one" })
            try files.createSymbolicLink(atPath: "\(place.folder)/..tmp", withDestinationPath: "..2")
            #expect(unsafe rename("\(place.folder)/..tmp", "\(place.folder)/..data") == 0)
            let listed = try await pages.pages().map(\.id)
            #expect(listed.contains("two") && !listed.contains("one"), "\(listed)")
        }
    }

    @Test("in a relative folder are those below the directory that is current at the start")
    func relativeFolder() {
        let current = FileManager.default.currentDirectoryPath
        for path in ["pages", "./pages"] { #expect(PageFolder(path: path).path == "\(current)/pages") }
        #expect(PageFolder(path: "/srv/pages").path == "/srv/pages")
    }

    @Test("that cannot be read, or are too many, are listed")
    func unreadable() async throws {
        let place = try PagePlace()
        try FileManager.default.createDirectory(atPath: "\(place.folder)/a.json", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: "\(place.folder)/b.json", withDestinationPath: "/nonexistent/b.json")
        // One letter with an accent, or a letter and an accent: other bytes, so another file.
        try place.write(#"{"page": "one", "sections": []}"#, to: "caf\u{E9}.json")
        try place.write(#"{"page": "two", "sections": []}"#, to: "cafe\u{301}.json")
        try await place.withPages { _, pages, _ in
            let listed = try await pages.pages()
            #expect(Set(listed.map(\.id)).isSuperset(of: ["a", "b", "one", "two"]))
            for page in listed where ["a", "b"].contains(page.id) {
                #expect(page.problems.map(\.message) == ["it is not a file that can be read"])
            }
            for number in 0..<PageFolder.mostFiles { try place.write("{}", to: "c\(number).json") }
            let source = place.folder
            let isListed = await holds {
                try await pages.pages().contains { page in
                    page.source == source
                        && page.problems.first?.message.hasPrefix("it has 4 page files too many") == true
                }
            }
            #expect(isListed)
        }
    }

    @Test("with mistakes are told with the line and column of each", arguments: wrongFiles)
    func mistakes(text: String, problems: [String]) {
        let stored = StoredPage("a.json", (text, ""))
        #expect(stored.page == nil)
        #expect(stored.problems.map { "\($0.line):\($0.column) \($0.message)" } == problems)
    }

    @Test("with too much in them are refused")
    func tooLarge() {
        let sections = Array(repeating: #"{"module": "x"}"#, count: 201).joined(separator: ",")
        let (_, problems) = PageReader.read(#"{"page": "a", "sections": [\#(sections)]}"#)
        #expect(problems.map(\.message) == ["expected at most 200 sections, found 201"])
        let deep = String(repeating: "[", count: 100_000)
        #expect(PageReader.read(deep).problems.count == 1)
    }

    @Test("that change are shown within a second or so; one with a mistake leaves the page as it was")
    func watched() async throws {
        let place = try PagePlace()
        try place.write(page: "home", #"{"module": "test.text", "name": "one"}"#)
        try await place.withPages { _, pages, _ in
            var page = Page(id: "", title: "", revision: 0, sections: [])
            let updates = try await pages.updates(id: "home")
            let reading = Task {
                var pages: [[String]] = []
                for try await update in updates {
                    try page.apply(update)
                    if pages.last != page.sections.map(\.name) { pages.append(page.sections.map(\.name)) }
                    if page.sections.count == 2 { break }
                }
                return pages
            }
            try place.write("{", to: "home.json")
            let isTold = await holds { try await pages.pages().first?.problems.count == 1 }
            #expect(isTold)
            #expect(try await pages.page(id: "home", after: nil).sections.map(\.name) == ["one"])
            try place.write(page: "home", #"{"module": "test.text", "name": "one"}"#, #"{"module": "test.text"}"#)
            #expect(try await reading.value.last == ["one", "test.text"])
        }
    }

    @Test("that change only what stands in the place of a module are shown, too")
    func fallbackChanged() async throws {
        let place = try PagePlace()
        try await place.withPages { _, pages, _ in
            for text in ["one", "two"] {
                for module in ["nobody.has", "test.throws"] {
                    try place.write(page: "mine", #"{"module": "\#(module)", "fallback": {"text": "\#(text)"}}"#)
                    #expect(await pages.shows("mine", ["\(module) fallback: \(text)"]))
                }
            }
        }
    }

    @Test("that are deleted end the page for its readers; pages that do not exist have similar names told")
    func deleted() async throws {
        let place = try PagePlace()
        try place.write(page: "mine", #"{"module": "test.text"}"#)
        try place.write(page: "other", #"{"module": "test.text"}"#)
        try await place.withPages { _, pages, _ in
            let updates = try await pages.updates(id: "mine")
            try place.remove("mine.json")
            await #expect(throws: PageError.deleted(id: "mine")) { for try await _ in updates {} }
            await #expect(throws: PageError.unknownPage(id: "othr", similar: "other")) {
                try await pages.page(id: "othr", after: nil)
            }
            for id in ["", String(repeating: "x", count: 1000), "../other", "other.json"] {
                await #expect(throws: PageError.self) { try await pages.page(id: id, after: nil) }
            }
        }
    }

    @Test("with mistakes are also told which modules are missing, and what is wrong with their data")
    func mistakesAndModules() async throws {
        let place = try PagePlace()
        try place.write(
            """
            {"titel": "Home", "sections": [
              {"module": "test.row", "columns": 13},
              {"module": "test.text", "name": "a b", "data": 1},
              {"module": "test.text", "hidden": {"if": "test.nothing"}}
            ]}
            """, to: "home.json")
        try await place.withPages { _, pages, _ in
            let home = try #require(try await pages.pages().first { $0.id == "home" })
            #expect(
                home.problems.map { "\($0.line):\($0.column) \($0.message)" } == [
                    #"1:11 unknown key "titel"; did you mean "title"?"#,
                    #"1:1 expected "page" with a name such as "home", found nothing"#,
                    "2:37 expected an integer from 1 to 12",
                    #"3:35 expected 1 to 128 letters, digits, "_", "." or "-", found "a b""#,
                    #"2:14 no component offers the module "test.row"; did you mean "test.rows"?"#,
                    "3:50 data: expected no data, because the module takes none, found int",
                    #"4:44 no component offers the module "test.nothing""#,
                ])
        }
    }

    @Test("and modules are listed with everything that is wrong")
    func listed() async throws {
        let place = try PagePlace()
        try place.write(
            """
            {"page": "home", "delegate": "test.fram", "parent": "secnd", "sections": [
              {"module": "fixture.greeting", "data": {"name": 1, "tmies": 2}},
              {"module": "test.text", "data": 1},
              {"module": "fixture.greeting", "name": "none"},
              {"module": "test.row", "hidden": {"if": "test.text"}},
              {"module": "test.condition"}
            ]}
            """, to: "home.json")
        try place.write(page: "second", #"{"module": "test.text"}"#)
        try FileManager.default.copyItem(atPath: "\(place.folder)/second.json", toPath: "\(place.folder)/third.json")
        try place.write("", to: "wrong.json")
        try place.write("not looked at", to: "notes.txt")
        try await place.withPages(.file, ["FixtureComponent"]) { _, pages, _ in
            let all = try await pages.pages().filter { $0.source.hasPrefix("/") }
            #expect(all.map(\.id) == ["home", "second", "second", "wrong"])
            #expect(
                all[0].problems.map { "\($0.line):\($0.column) \($0.message)" } == [
                    #"1:53 there is no page "secnd"; did you mean "second"?"#,
                    #"1:30 no component offers the module "test.fram"; did you mean "test.frame"?"#,
                    "2:63 tmies: expected one of name, times, found another key; did you mean times?",
                    "2:51 name: expected a string, found int",
                    "3:35 data: expected no data, because the module takes none, found int",
                    "4:3 data: expected Greeting, found nothing",
                    #"5:14 no component offers the module "test.row"; did you mean "test.rows"?"#,
                    #"5:43 "test.text" is not a condition: it has a view"#,
                    #"6:14 "test.condition" is a condition: it has no view"#,
                ])
            #expect(all[1].problems == [] && all[1].modules == ["test.text"])
            #expect(
                all[2].problems.map(\.message) == ["\(place.folder)/second.json has the page \"second\" already"])
            #expect(all[3].problems.map(\.line) == [1])
            let modules = try await pages.modules()
            let greeting = try #require(modules.first { $0.name == "fixture.greeting" })
            #expect(greeting.component == "FixtureComponent" && greeting.pages == ["home"] && !greeting.isCondition)
            #expect(greeting.data == ["name: String", "times: Int = 1"])
            #expect(modules.first { $0.name == "test.condition" }?.isCondition == true)
            let missing = try #require(modules.first { $0.name == "test.row" })
            #expect(missing.component == nil && missing.pages == ["home"])
            #expect(missing.problem == #"no component offers the module "test.row"; did you mean "test.rows"?"#)
            let page = try await pages.settled("home")
            #expect(
                page.summaries.first
                    == "fixture.greeting failed: tmies: expected one of name, times, found another key; "
                    + "did you mean times?")
        }
    }
}
