import ComponentKit
import PageKit
import TestSupport
import Testing

@Suite("The id of a page with values")
struct PageAddressTests {
    static let makings: [(values: [String: Payload], id: String)] = [
        ([:], "p"), (["id": 3], "p?id=3"), (["b": 1, "a": true], "p?a=true&b=1"), (["a": .null, "b": "x"], "p?b=x"),
        (["a": ["x", "y"]], "p?a=x&a=y"), (["a": []], "p"), (["a": 0.5], "p?a=0.5"),
        (["a": "1&b=2#c?d +%"], "p?a=1%26b%3D2%23c%3Fd%20%2B%25"), (["a": "\u{1B}[0m\n"], "p?a=%1B%5B0m%0A"),
        (["ä b": "ö"], "p?%C3%A4%20b=%C3%B6"), (["a": ""], "p?a="),
        (["a": .date(Timestamp(seconds: 0))], "p?a=1970-01-01T00%3A00%3A00.000000000Z"),
        (["a": ["b": 1]], "p?a=%7B%22b%22%3A1%7D"),
    ]

    @Test("says which values there are, and reads as what it was made of", arguments: makings)
    func made(values: [String: Payload], id: String) {
        let address = PageAddress(name: "p", values: values)
        #expect(address.id == id)
        #expect(PageAddress(id) == address)
        #expect(Action.show(page: "p", values).effect == .show(page: id))
    }

    static let spellings: [(text: String, id: String?)] = [
        ("p", "p"), ("p?", "p"), ("p?&&", "p"), ("p?b=2&a=1", "p?a=1&b=2"), ("p?a=2&a=1", "p?a=2&a=1"),
        ("p?a", "p?a="), ("p?a=x+y", "p?a=x%20y"), ("p?a=x%20y", "p?a=x%20y"), ("p?a=%", "p?a=%25"),
        ("p?a=1#b", "p?a=1"), ("p?a=1?b=2", "p?a=1%3Fb%3D2"), ("p?=1", "p?=1"),
        ("p?u=http://x//y", "p?u=http%3A%2F%2Fx%2F%2Fy"),
        // Two texts that Swift takes as equal.
        ("p?\u{E9}=1&e\u{301}=2", "p?%C3%A9=1&e%CC%81=2"), ("", nil), ("?a=1", nil),
        ("p?a=\(String(repeating: "x", count: 1020))", "p?a=\(String(repeating: "x", count: 1020))"),
        ("p?a=\(String(repeating: "x", count: 1021))", nil), ("p?a=\(String(repeating: "/", count: 400))", nil),
    ]

    @Test("is the same however the values are written", arguments: spellings)
    func read(text: String, id: String?) {
        let address = PageAddress(text)
        #expect(address?.id == id)
        if let id { #expect(PageAddress(id) == address) }
    }

    @Test("keeps apart texts that only look the same")
    func lookalikes() {
        let addresses = ["\u{E9}", "e\u{301}"].map { PageAddress(name: "p", values: ["a": .string($0)]) }
        #expect(addresses[0] != addresses[1])
    }

    static let page = Page(id: "p?id=3", title: "t", revision: 1, sections: [])

    @Test(
        "is where an answer leads that is a page, or an outcome with one",
        arguments: [
            (ActionOutcome(page: "p?id=3").payload, ActionOutcome(page: "p?id=3")),
            (ActionOutcome(page: "p", value: "done").payload, ActionOutcome(page: "p", value: "done")),
            (page.payload, ActionOutcome(page: "p?id=3")), (ActionOutcome(value: 1).payload, nil), (.null, nil),
            ("p", nil), (["page": "p"], nil), (["page": 1, "value": 2], nil),
            (["page": "p", "value": 1, "more": 2], nil),
            (["id": "p", "title": "t", "revision": "x", "sections": []], nil),
        ] as [(Payload, ActionOutcome?)])
    func outcome(answer: Payload, outcome: ActionOutcome?) { #expect(ActionOutcome(answer: answer) == outcome) }
}
