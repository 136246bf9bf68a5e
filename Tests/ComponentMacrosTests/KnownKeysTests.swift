import Testing

@testable import ComponentMacros

@Suite("Known keys")
struct KnownKeysTests {
    @Test(
        "a misspelled key is nearest to the right one",
        arguments: [
            ("nmae", "name"), ("Version", "version"), ("class", "classes"), ("require", "requires"),
            ("event", "events"),
            ("summery", "summary"), ("", "name"), ("typ", "type"),
        ])
    func nearest(_ key: String, _ known: String) {
        #expect(KnownKeys.component.nearest(to: key) == known)
    }

    @Test("a class and a requirement know the keys of services")
    func services() {
        #expect(KnownKeys.linkClass.contains("provides"))
        #expect(KnownKeys.linkClass.nearest(to: "provide") == "provides")
        for key in ["service", "protocol", "selectors"] { #expect(KnownKeys.requirement.contains(key)) }
        #expect(KnownKeys.requirement.nearest(to: "protokol") == "protocol")
    }

    @Test("keys that begin with x- are free")
    func free() {
        #expect(KnownKeys.selector.contains("x-anything"))
        #expect(KnownKeys.selector.contains("mainActor"))
        #expect(!KnownKeys.selector.contains("x"))
        #expect(!KnownKeys.selector.contains("mainactor"))
    }
}
