import ComponentHost
import ComponentKit
import ForeignFunctions
import TestSupport
import Testing

@Suite("Text with a length, and data that C keeps")
struct KeptDataTests {
    @Test("text with a length is read and passed exactly, whatever is behind it")
    func measured() async throws {
        try await withLibraries("plain") { host async throws in
            let words = Lock<[Payload]>([])
            let word = host.link.typedClosure { (text: Payload, _: Int) -> Payload in
                words.withLock { $0.append(text) }
                return .null
            }
            let text: Payload = "one two  drei"
            #expect(try await host.call("Plain", "plain_words", ["text": text, "word": word]) == 4)
            #expect(words.withLock { $0 } == ["one", "two", "", "drei"])
            words.withLock { $0 = [] }
            // A NUL is part of such a text, and a caller may pass less than the whole.
            let zeros: Payload = ["text": "a\0b c", "length": 3, "word": word]
            #expect(try await host.call("Plain", "plain_words", zeros) == 1)
            #expect(words.withLock { $0 } == ["a\0b"])
            let latin: Payload = ["text": .bytes([0xE9, 0x20, 0x41]), "word": word]
            #expect(try await host.call("Plain", "plain_words", latin) == 2)
            #expect(words.withLock { $0.suffix(2) } == [.bytes([0xE9]), "A"])
            let long = await failure {
                try await host.call("Plain", "plain_words", ["text": "ab", "length": 100_000_000, "word": word])
            }
            #expect(long?.message == "length: expected at most 2, the length of the data, found 100000000")
            #expect(
                try await host.call("Plain", "plain_middle", ["text": "abcdef"]) == ["length": 4, "return": "bcde"])
        }
    }

    @Test("an array that ends with a null pointer is passed, returned and given to callbacks")
    func ended() async throws {
        try await withLibraries("plain") { host async throws in
            #expect(try await host.call("Plain", "plain_count_texts", ["texts": []]) == 0)
            let many = Payload.array((0..<500).map { .string("text \($0)") })
            #expect(try await host.call("Plain", "plain_count_texts", ["texts": many]) == 500)
            #expect(try await host.call("Plain", "plain_colours") == ["red", "green", "blue"])
            let seen = Lock<[Payload]>([])
            let function = host.link.typedClosure { (name: String, attributes: Payload) -> Int in
                seen.withLock { $0 = [.string(name), attributes] }
                return attributes.count
            }
            #expect(try await host.call("Plain", "plain_attributes", ["function": function]) == 4)
            #expect(seen.withLock { $0 } == ["a", ["href", "a.html", "rel", "next"]])
            let error = await failure {
                try await host.call("Plain", "plain_count_texts", ["texts": ["a", nil]])
            }
            #expect(error?.message == "texts[1]: expected string, found null")
        }
    }

    @Test("the length of a text in a struct is that of the text")
    func fields() async throws {
        try await withLibraries("plain") { host async throws in
            let sum = try await host.call("Plain", "plain_piece_sum", ["piece": ["text": "ab", "kind": 1]])
            #expect(sum == 195)
            let piece = try await host.call("Plain", "plain_piece", ["text": "abcdef"])
            #expect(piece == ["text": "bc", "length": 2, "kind": 3])
            let long = await failure {
                try await host.call("Plain", "plain_piece_sum", ["piece": ["text": "ab", "length": 100_000_000]])
            }
            #expect(
                long?.message
                    == "piece.length: expected no value, because it is the length of \"text\", found int")
            let none = await failure { try await host.call("Plain", "plain_piece_sum", ["piece": ["kind": 1]]) }
            #expect(none?.message == "piece.text: expected string, found nothing")
        }
    }

    @Test("a union is read as the member that its tag tells")
    func unions() async throws {
        try await withLibraries("plain") { host async throws in
            func event(_ type: Payload) async throws -> Payload {
                try await host.call("Plain", "plain_event", ["type": type]).value("event")
            }
            #expect(
                try await event("PLAIN_WORD") == ["type": 1, "data": ["word": ["text": "word", "length": 4]]])
            #expect(try await event("PLAIN_NUMBER") == ["type": 2, "data": ["number": ["value": 2]]])
            #expect(try await event("PLAIN_NOTHING") == ["type": 0, "data": nil])
            #expect(try await event(9) == ["type": 9, "data": nil])
        }
    }

    @Test(
        "a union whose tag or members do not fit is refused",
        arguments: [
            ("union by typ { 1: a }", #"e: data: struct e has no integer "typ"; did you mean "type"?"#),
            ("union by type { 1: x }", #"e: data: union u has no member "x""#),
            ("union by type { ONE: a }", #"e: data: the value for "a" must be a number or a constant of int"#),
            ("union by type { 1: a, 1: b }", "e: data: two members have the value 1"),
            ("union by data { 1: a }", #"e: data: struct e has no integer "data""#),
            (
                "union type",
                #"its annotations are invalid: "e.data": expected "union by name { value: member, … }", found "type""#
            ),
            ("union by type { 1: a", #"its annotations are invalid: "e.data": expected "}", found the end at byte 21"#),
        ])
    func unfit(annotation: String, reason: String) throws {
        let description = try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                     "declarations": "union u { int a; long b; }; struct e { int type; union u data; }; int f(struct e *e);",
                     "annotations": {"f": {"e": "out", "e.data": "\(annotation)"}}}
                    """))
        let found = try #require(description.refusals.first?.reason)
        #expect(found == reason)
    }

    private func read(_ note: Payload, _ host: LinkHost) async throws -> Payload {
        try await host.call("Plain", "plain_read", ["note": note]).value("return")
    }

    @Test("a text that a handle keeps lives as long as the handle", arguments: [10, 300, 100_000])
    func text(count: Int) async throws {
        try await withLibraries("plain") { host async throws in
            let text = String(repeating: "x", count: count)
            let other = String(repeating: "-", count: count)
            let note = try await host.call("Plain", "plain_note", ["text": .string(text)])
            let made = try await host.call("Plain", "plain_make_note", ["text": .string(text)]).value("note")
            let written = try await host.call("Plain", "plain_make_note", ["text": "a"]).value("note")
            _ = try await host.call("Plain", "plain_write", ["note": written, "text": .string(text)])
            // Uses the memory that an unkept text would have had.
            for _ in 0..<20 { _ = try await host.call("Plain", "plain_middle", ["text": .string(other)]) }
            for note in [note, made, written] { #expect(try await read(note, host) == .string(text)) }
            for note in [note, made, written] { _ = try await host.call("Plain", "plain_burn", ["note": note]) }
            let burnt = await failure { try await read(note, host) }
            #expect(burnt?.message == "the handle Note has been released")
        }
    }

    @Test("items that a handle keeps live as long as the handle, with their texts")
    func items() async throws {
        try await withLibraries("plain") { host async throws in
            let note = try await host.call("Plain", "plain_note", ["text": "a"])
            let lines = (0..<100).map { Payload.string("line \($0) \(String(repeating: "x", count: $0 * 10))") }
            _ = try await host.call("Plain", "plain_set_lines", ["note": note, "lines": .array(lines)])
            for _ in 0..<20 { _ = try await host.call("Plain", "plain_total", ["texts": .array(lines.reversed())]) }
            for (index, line) in lines.enumerated() {
                #expect(try await host.call("Plain", "plain_line", ["note": note, "index": Payload(index)]) == line)
            }
        }
    }

    @Test("a call that fails keeps nothing, and returns its error")
    func failed() async throws {
        try await withLibraries("plain") { host async throws in
            let error = await failure { try await host.call("Plain", "plain_make_note", ["text": ""]) }
            #expect(error?.number == -1)
        }
    }

    @Test(
        "what cannot be kept is refused",
        arguments: [
            (
                #"{"f": {"h": "copied"}}"#,
                #"h: "copied" is for data; a handle that C does not use after the call is "handle""#
            ),
            (#"{"f": {"h": "kept by h"}}"#, "h: it cannot be kept by itself"),
            (
                #"{"f": {"h": "released", "t": "kept by h"}}"#,
                #"t: "h" is released by the function and keeps nothing: say "copied", "kept" for the rest of the process, or "kept by" another handle"#
            ),
            (#"{"f": {"t": "kept by x"}}"#, #"t: there is no handle "x""#),
            (#"{"f": {"t": "kept by t"}}"#, #"t: "kept by t" needs a handle, but "t" is not one"#),
            (#"{"f": {"t": "kept by return"}}"#, #"t: "kept by return" needs a handle as the result"#),
            (
                #"{"f": {"t": "kept copied"}}"#,
                #"its annotations are invalid: t: expected one of "keeps", "of", "kept" and "copied", found a second one"#
            ),
            (#"{"f": {"return": "copied"}}"#, #"return: "kept" and "copied" are for parameters"#),
        ])
    func refused(annotations: String, reason: String) throws {
        let result = annotations.contains("\"return\"") ? "struct h *" : "int "
        let description = try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                     "declarations": "struct h; \(result)f(struct h *h, \(result == "int " ? "const char *t, " : "")void (*g)(int a));",
                     "annotations": \(annotations.replacing(#"{"f": {"#, with: #"{"f": {"g": "copied", "#))}
                    """))
        #expect(description.refusals.map(\.reason) == [reason])
    }
}
