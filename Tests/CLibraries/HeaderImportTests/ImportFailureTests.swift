import Foundation
import HeaderImport
import Testing

/// Tests imports that produce no declarations.
struct ImportFailureTests {
    private static let headers: [(text: String, message: String)] = [
        ("", "declares no function"),
        ("int a;\n#include <string.h>", "declares no function itself; name the headers that do:\n"),
        ("#include \"missing.h\"", "clang reported errors in"),
        ("int f(unknown a);", "unknown type name 'unknown'"),
        ("int f(void)\n}", "clang reported errors in"),
    ]

    @Test("a header without functions, or with errors, is reported", arguments: headers)
    func failure(text: String, message: String) async throws {
        let header = try HeaderFile(text)
        let error = try await #require(throws: ImportError.self) { try await header.imported() }
        #expect(error.message.contains(message), "\(error.message)")
    }

    @Test("a missing header is reported")
    func missing() async throws {
        let request = ImportRequest(headers: ["no/such/header.h"], libraries: [.unknown])
        let error = try await #require(throws: ImportError.self) { try await HeaderFile.imported(request) }
        #expect(error.message.contains("'no/such/header.h' file not found"))
    }

    @Test("the name of a header cannot inject other source", arguments: ["a\nint f(void);", "a\"b", "a>b"])
    func name(header: String) async throws {
        let request = ImportRequest(headers: [header], libraries: [.unknown])
        let error = try await #require(throws: ImportError.self) { try await HeaderFile.imported(request) }
        #expect(error.message.hasPrefix("expected the name of a header"))
    }
}
