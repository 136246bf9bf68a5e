import ComponentKit
import PageKit
import Testing

@testable import hslink

@Suite("Addresses of actions")
struct ActionAddressTests {
    private func section(_ view: ViewNode) -> SectionActions {
        SectionActions(PageSection(name: "main", module: "m", state: .shown, layout: SectionLayout(), view: view))
    }

    private func addresses(_ view: ViewNode) -> [String] { section(view).entries.map(\.address.text) }

    private func row(_ id: Int) -> Row {
        Row("Item \(id)").key(id).action(.open("app://item/\(id)")).side(.call("delete", ["id": Payload(id)]))
            .side(.call("move", ["id": Payload(id), "by": 1])).side(.call("move", ["id": Payload(id), "by": -1]))
    }

    @Test("they consist of the section, the keys and the selector, and of a check value if these do not say everything")
    func forms() throws {
        let found = addresses(List { [row(42)] }.node)
        #expect(found.count == 4)
        #expect(found[1] == "main/42/delete")
        #expect(found[0].hasPrefix("main/42/open@"))
        #expect(found[2].hasPrefix("main/42/move@") && found[3].hasPrefix("main/42/move@") && found[2] != found[3])
        #expect(addresses(Button("Sign out", .call("signOut")).node) == ["main/signOut"])
        #expect(addresses(Card { Button("Reload", .refresh()) }.node) == ["main/refresh"])
        let more = PageContext(page: "sample", section: "main").more()
        let rows = List { Row("a") }.key("rows").side(more).side(.refresh())
        #expect(addresses(rows.node) == ["main/rows/more", "main/rows/refresh"])
        // Nothing but the parameter says which item is meant.
        #expect(addresses(Row("x").action(.call("delete", ["id": 42])).node)[0].hasPrefix("main/delete@"))
        #expect(addresses(Row("x").key(0).action(.call("delete", ["id": 42])).node)[0].hasPrefix("main/0/delete@"))
    }

    @Test("they stay the same when other rows come, go or move, and none leads to another action")
    func stability() throws {
        // With and without keys, directly in the section and further inside.
        func view(_ ids: [Int], hasKeys: Bool) -> ViewNode {
            Card("c") {
                for id in ids.prefix(1) { Text("before \(id)") }
                List("rows") { ids.map { hasKeys ? row($0).node : row($0).key("").node } }
            }.node
        }
        for hasKeys in [true, false] {
            let before = section(view([1, 2, 3, 4], hasKeys: hasKeys))
            let texts = before.entries.map(\.address.text)
            #expect(Set(texts).count == texts.count)
            for ids in [[2], [4, 3, 2, 1], [9, 1, 2, 3, 4], [2, 4], []] {
                let after = section(view(ids, hasKeys: hasKeys))
                for entry in before.entries {
                    let address = try #require(ActionAddress(entry.address.text))
                    let isThere = after.entries.contains { $0.action == entry.action }
                    switch after.entry(at: address) {
                    case .one(let found): #expect(found.action == entry.action && isThere)
                    case .none: #expect(!isThere)
                    case .several: Issue.record("\(address.text) leads to several actions")
                    }
                }
            }
        }
    }

    @Test("an action whose effect has changed is not found any more")
    func changes() throws {
        func lamp(isOn: Bool) -> SectionActions {
            section(Row("Lamp").key(7).action(.call("set", ["id": 7, "on": Payload(!isOn)])).node)
        }
        let address = try #require(ActionAddress(lamp(isOn: false).entries[0].address.text))
        guard case .one = lamp(isOn: false).entry(at: address) else { throw Unexpected() }
        guard case .none = lamp(isOn: true).entry(at: address) else { throw Unexpected() }
        // Nor is one without its check value.
        let bare = ActionAddress(section: "main", keys: ["7"], word: "set")
        guard case .none = lamp(isOn: false).entry(at: bare) else { throw Unexpected() }
    }

    private struct Unexpected: Error {}

    @Test("actions with the same keys and selector that do different things have different addresses")
    func shared() throws {
        let view = Stack {
            Form("Save", .call("save")) { Field("name", "Name", .text) }
            Button("Save", .call("save"))
            Button("Save again", .call("save"))
            Button("Reload", .call("refresh"))
            Button("Reload", .refresh())
        }.node
        let found = addresses(view)
        #expect(found[1] == found[2])
        #expect(Set(found).count == 4)
        #expect(found.allSatisfy { $0.contains("@") })
        // Forms that differ only in what is in them.
        let forms = Stack {
            for name in ["Ada", "Bea"] {
                Form("Save", .call("save")) { Field("name", "Name", .text, value: Payload(name)) }
            }
        }.node
        let actions = section(forms)
        guard case .several = actions.entry(at: actions.entries[0].address) else { throw Unexpected() }
        // The one that asks, if the others do the same.
        let buttons = section(Stack { [Button("a", .call("x")), Button("b", .call("x", confirm: "?"))] }.node)
        guard case .one(let entry) = buttons.entry(at: buttons.entries[0].address) else { throw Unexpected() }
        #expect(entry.action.confirmation == "?")
    }

    @Test(
        "any name becomes a word that a shell leaves alone, and is read again",
        arguments: [
            ("a b", "k/1@2", "do:with:", "a%20b/k%2F1@2/do:with:"), ("-x", "-", "a@b", "%2Dx/-/a%40b"),
            ("s", "50%", "%41", "s/50%25/%2541"), ("s", "$(id)`'\"", "x", "s/%24%28id%29%60%27%22/x"),
            ("s", "\u{202E}\u{1B}\n", "x", "s/%E2%80%AE%1B%0A/x"), ("s", "", "x", "s//x"),
        ])
    func encoding(name: String, key: String, word: String, text: String) throws {
        let address = ActionAddress(section: name, keys: [key], word: word, check: nil)
        #expect(address.text == text)
        #expect(ShellWords(text)?.words.map(\.text) == [text])
        #expect(ActionAddress(text) == address)
        var checked = address
        checked.check = "0123abcd"
        #expect(ActionAddress(checked.text) == checked)
    }

    @Test("other letters than those of English are kept")
    func letters() {
        let address = ActionAddress(section: "Straße", keys: ["東京"], word: "öffnen")
        #expect(address.text == "Straße/東京/öffnen")
        #expect(ActionAddress(address.text) == address)
    }

    @Test(
        "marks are kept behind letters only, and never hide where a part ends",
        arguments: [
            ("\u{93E}", "s/%E0%A4%BE/x"), ("\u{915}\u{93E}", "s/\u{915}\u{93E}/x"), ("-\u{345}", "s/-%CD%85/x"),
            ("\u{345}\u{345}", "s/%CD%85%CD%85/x"), ("a\u{345}", "s/a\u{345}/x"), ("e\u{301}", "s/e%CC%81/x"),
            // A letter that joins what follows.
            ("\u{D4E}", "s/\u{D4E}/x"),
        ])
    func marks(key: String, text: String) throws {
        let address = ActionAddress(section: "s", keys: [key], word: "x")
        #expect(address.text == text)
        let found = try #require(ActionAddress(text))
        #expect(found.keys.map { Array($0.utf8) } == [Array(key.utf8)])
        #expect(found == address)
        // As somebody may have typed it.
        #expect(ActionAddress("s/\(key)/x@0") == ActionAddress(section: "s", keys: [key], word: "x", check: "0"))
    }

    @Test("a text with fewer than two parts is no address", arguments: ["", "a", "a/", "a/@x"])
    func invalid(text: String) { #expect(ActionAddress(text) == nil) }

    @Test("commands can be copied into a shell")
    func commands() throws {
        let commands = PageCommands(page: "my page", options: ["--plugins", "'a b'"])
        func words(_ action: Action) -> String? {
            commands.words(for: action, in: section(Button("x", action).node), keys: [], fields: [])?
                .joined(separator: " ")
        }
        #expect(words(.open("app://x?a=1&b='c'")) == #"hslink open 'app://x?a=1&b='\''c'\''' --plugins 'a b'"#)
        #expect(words(.open("app://\u{202E}x")) == "hslink open app://%E2%80%AEx --plugins 'a b'")
        #expect(words(.show(page: "a", ["b": "c'd"])) == "hslink page 'a?b=c%27d' --plugins 'a b'")
        #expect(words(.show(page: "-x")) == "hslink page --plugins 'a b' -- -x")
        #expect(words(.call("save")) == "hslink page 'my page' --perform main/save --plugins 'a b'")
        for line in [words(.open("app://x?a=1&b='c'")), words(.call("save"))] {
            #expect(ShellWords(try #require(line)) != nil)
        }
    }
}
