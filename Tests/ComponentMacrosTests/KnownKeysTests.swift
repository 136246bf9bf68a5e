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

    @Test("keys that begin with x- are free")
    func free() {
        #expect(KnownKeys.selector.contains("x-anything"))
        #expect(KnownKeys.selector.contains("mainActor"))
        #expect(!KnownKeys.selector.contains("x"))
        #expect(!KnownKeys.selector.contains("mainactor"))
    }
}
