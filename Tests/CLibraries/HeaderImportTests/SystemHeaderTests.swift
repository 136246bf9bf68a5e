import CDeclarations
import Foundation
import HeaderImport
import Testing

/// Tests headers of the system.
struct SystemHeaderTests {
    /// Whether a header is installed.
    private static func isThere(_ header: String) -> Bool {
        FileManager.default.fileExists(atPath: "/usr/include/\(header)")
    }

    private static func imported(_ header: String, definitions: [String] = []) async throws -> ImportedHeader {
        var request = ImportRequest(headers: [header], libraries: [.unknown])
        request.definitions = definitions
        return try await HeaderFile.imported(request)
    }

    @Test("zlib.h is imported whole", .enabled("zlib.h is not installed (zlib1g-dev)") { isThere("zlib.h") })
    func zlib() async throws {
        let imported = try await SystemHeaderTests.imported("zlib.h")
        #expect(imported.isReadable)
        #expect(imported.functions.count >= 80)
        #expect(imported.omissions.filter { $0.kind == .function }.map(\.name) == ["gzvprintf"])
        let text = imported.declarations
        #expect(text.contains("uLong crc32(uLong crc, const Bytef *buf, uInt len);"))
        #expect(text.contains("#define Z_DATA_ERROR -3"))
        #expect(text.contains("typedef struct gzFile_s *gzFile;"))
        #expect(text.contains { $0.hasPrefix("#define ZLIB_VERSION \"1.") })
        let declarations = CDeclarations(parsing: text.joined(separator: "\n"))
        let stream = try #require(declarations.type(named: "z_stream"))
        #expect(try declarations.layout(of: stream) == CLayout(size: 112, alignment: 8))
    }

    @Test(
        "sqlite3.h is imported whole",
        .enabled("sqlite3.h is not installed (libsqlite3-dev)") { isThere("sqlite3.h") })
    func sqlite() async throws {
        let imported = try await SystemHeaderTests.imported("sqlite3.h")
        #expect(imported.isReadable)
        #expect(imported.functions.count > 250)
        #expect(imported.omissions.allSatisfy { $0.kind != .function || $0.reason.contains("va_list") })
        let text = imported.declarations
        #expect(text.contains("typedef struct sqlite3_stmt sqlite3_stmt;"))
        #expect(text.contains("int sqlite3_step(sqlite3_stmt *);"))
        #expect(text.contains("#define SQLITE_IOERR_READ 266"))
        #expect(imported.constantCount > 400)
    }

    @Test("the numbers of math.h are constants")
    func numbers() async throws {
        let imported = try await SystemHeaderTests.imported("math.h", definitions: ["_GNU_SOURCE"])
        #expect(imported.declarations.contains("#define M_PI 3.141592653589793"))
    }

    @Test(
        "headers of the C library are imported, with the headers they consist of",
        arguments: [
            ("math.h", "double frexp(double x, int *exponent);"), ("stdlib.h", "div_t div(int numer, int denom);"),
            ("time.h", "struct tm *gmtime_r(const time_t *timer, struct tm *tp);"),
            ("stdio.h", "int snprintf(char *s, size_t maxlen, const char *format, ...);"),
            ("string.h", "size_t strlen(const char *s);"),
            ("dirent.h", "struct dirent *readdir(DIR *dirp);"),
            ("signal.h", "int kill(__pid_t pid, int sig);"), ("sys/stat.h", "int fstat(int fd, struct stat *buf);"),
            ("pthread.h", "int pthread_join(pthread_t th, void **thread_return);"),
        ])
    func library(header: String, declaration: String) async throws {
        let imported = try await SystemHeaderTests.imported(header, definitions: ["_GNU_SOURCE"])
        #expect(imported.isReadable)
        // Qualifiers depend on the version of the C library.
        let texts = imported.declarations.map { $0.replacing("restrict ", with: "") }
        #expect(texts.contains(declaration), "\(texts.filter { $0.contains(declaration.prefix(12).suffix(5)) })")
    }
}
