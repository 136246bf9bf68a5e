import Foundation
import TestSupport
import Testing

@Suite("Functions of descriptions that leave something open")
struct OpenQuestionCommandTests {
    private static let description = """
        {"name": "c", "version": "1.0.0", "library": "libc.so.6", "class": "C",
         "declarations": ["size_t strnlen(const char *s, size_t maxlen);", "size_t strlen(const char *s);"],
         "rename": {"strnlen": "strlem"}}
        """

    @Test("they are listed and inspected with the annotations to choose from")
    func inspect() async throws {
        try await withPlugins { plugins in
            try plugins.write(OpenQuestionCommandTests.description, to: "c.hslink.json")
            let reason =
                "strnlen: s: const char * needs an annotation, because \"maxlen\" may be its length: \"string[maxlen]\", "
            let list = try await hslink("list", "--plugins", plugins.path)
            #expect(list.standardOutput.contains("one declaration cannot be used: \(reason)"))
            let inspect = try await hslink("inspect", plugins.file("c.hslink.json"))
            #expect(inspect.standardOutput.contains("Left out   \(reason)"), "\(inspect.standardOutput)")
        }
    }

    @Test("a call is answered with the reason, and not with another name")
    func call() async throws {
        try await withPlugins { plugins in
            try plugins.write(OpenQuestionCommandTests.description, to: "c.hslink.json")
            let run = try await hslink("call", "C", "strlem", "s=a", "maxlen=9", "--plugins", plugins.path)
            #expect(run.status == 1)
            #expect(run.standardError.contains("the function cannot be called: s: const char * needs an annotation"))
            #expect(!run.standardError.contains("Did you mean"), "\(run.standardError)")
            let unknown = try await hslink("call", "C", "strlne", "s=a", "--plugins", plugins.path)
            #expect(unknown.standardError.contains("Did you mean strlen?"), "\(unknown.standardError)")
        }
    }
}
