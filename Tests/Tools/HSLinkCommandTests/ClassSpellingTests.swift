import Foundation
import TestSupport
import Testing

@Suite("Two classes of one component whose names Swift takes as equal")
struct ClassSpellingTests {
    private static let composed = "Caf\u{E9}Link"
    private static let decomposed = "Cafe\u{301}Link"

    @Test("are two classes, each with its own methods", arguments: [false, true])
    func calls(areInOneNote: Bool) async throws {
        try await withPlugins { plugins in
            try await plugins.compile("libTwins.so", from: Self.source(areInOneNote: areInOneNote))
            for (name, number) in [(Self.composed, "1"), (Self.decomposed, "2")] {
                let answer = try await hslink("call", "--plugins", plugins.path, "--class-method", name, "who")
                #expect(answer == printed(number))
            }
            let missing = try await hslink("call", "--plugins", plugins.path, "--class-method", Self.composed, "second")
            #expect(missing.status == 1)
            #expect(
                try await hslink("call", "--plugins", plugins.path, "--class-method", Self.decomposed, "second")
                    == printed("2"))
        }
    }

    /// A component with both classes. Each has the selector `who`, and one of them also the selector `second`.
    private static func source(areInOneNote: Bool) -> String {
        func selector(_ name: String) -> String { #"{"name": "\#(name)", "kind": "class"}"# }
        let notes = [
            #"{"name": "\#(composed)", "selectors": [\#(selector("who"))]}"#,
            #"{"name": "\#(decomposed)", "selectors": [\#(selector("who")), \#(selector("second"))]}"#,
        ]
        let classes = areInOneNote ? #", "classes": [\#(notes.joined(separator: ", "))]"# : ""
        let manifest = #"{"name": "Twins", "version": "1.0.0"\#(classes)}"#
        let separate =
            areInOneNote
            ? []
            : notes.enumerated().map { index, note in
                "HSLINK_NOTE(note\(index), HSLINK_NOTE_LINK_CLASS, \(literal(note)))"
            }
        return """
            #include "hslink.h"
            #include "hslink_manifest.h"
            HSLINK_MANIFEST(\(literal(manifest)))
            \(separate.joined(separator: "\n"))
            #define METHOD(name, number) \\
                static int32_t name(void *context, hslink_object *self, const hslink_value *payload, \\
                                    const hslink_call *call) { \\
                    (void)context; (void)self; (void)payload; \\
                    return hslink_return(call, hslink_int(number)); \\
                }
            METHOD(first, 1)
            METHOD(second, 2)
            static const hslink_method methods1[] = {{HSLINK_LITERAL("who"), HSLINK_CLASS_METHOD, 0, first, NULL}};
            static const hslink_method methods2[] = {
                {HSLINK_LITERAL("who"), HSLINK_CLASS_METHOD, 0, second, NULL},
                {HSLINK_LITERAL("second"), HSLINK_CLASS_METHOD, 0, second, NULL}};
            static const hslink_class class1 = HSLINK_CLASS(\(literal(composed)), methods1, NULL, NULL);
            static const hslink_class class2 = HSLINK_CLASS(\(literal(decomposed)), methods2, NULL, NULL);
            static const hslink_class *const classes[] = {&class1, &class2};
            static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Twins", "1.0.0", classes, NULL, NULL);
            HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
            """
    }

    /// Returns a literal of C.
    private static func literal(_ text: String) -> String { "\"\(text.replacing("\"", with: "\\\""))\"" }
}
