import TestSupport
import Testing

@Suite("Resources of components", .enabled(if: WebPlace.isComplete))
struct ResourceTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    @Test("whose names differ in their spelling only are different files")
    func spellings() async throws {
        try await place.withWeb(movable: ["ComponentOwner"]) { web in
            try web.plugins.write("one scalar", to: "ComponentOwner.resources/\u{E9}.txt")
            try web.plugins.write("two scalars", to: "ComponentOwner.resources/e\u{301}.txt")
            for (name, text) in [("%C3%A9", "one scalar"), ("e%CC%81", "two scalars")] {
                let answer = try await web.ask("GET", "/resources/ComponentOwner/\(name).txt")
                #expect(answer.status == 200 && answer.text == text, "\(answer.text)")
            }
        }
    }
}
