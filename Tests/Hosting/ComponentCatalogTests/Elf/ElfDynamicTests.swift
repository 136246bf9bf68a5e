import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog

@Suite("The dynamic section of ELF files")
struct ElfDynamicTests {
    @Test("name, needed libraries and search path are read")
    func names() throws {
        let directory = try TemporaryDirectory()
        try directory.write(CompiledLibrary.compile("int other(void) { return 1; }"), to: "libOther.so")
        let contents = try ElfContents(
            CompiledLibrary.compile(
                "int other(void); int here(void) { return other(); }",
                flags: [
                    "-Wl,-soname,libHere.so.1", "-Wl,--enable-new-dtags", "-Wl,-rpath,$ORIGIN:/opt/lib",
                    "-L\(directory.path)", "-lOther",
                ]))
        #expect(contents.dynamic.needed == ["libOther.so"])
        #expect(contents.dynamic.soname == "libHere.so.1")
        #expect(contents.dynamic.runPath == ["$ORIGIN", "/opt/lib"])
        #expect(!contents.dynamic.isProgram)
        #expect(!contents.dynamic.sharesSwiftRuntime)
    }

    @Test("a library that needs libswiftCore.so shares the Swift runtime")
    func swiftRuntime() {
        var dynamic = ElfDynamic()
        dynamic.needed = ["libc.so.6", "libswiftCore.so"]
        #expect(dynamic.sharesSwiftRuntime)
    }

    @Test("defined and visible symbols are exported, by either hash table", arguments: ["sysv", "gnu", "both"])
    func symbols(_ style: String) throws {
        let source = """
            int imported(void);
            int plain(void) { return imported(); }
            __attribute__((weak)) int weak = 1;
            __attribute__((visibility("protected"))) int protected_one = 1;
            __attribute__((visibility("hidden"))) int hidden(void) { return 1; }
            static int local(void) { return 1; }
            int (*use(void))(void) { return local; }
            """
        let bytes = try CompiledLibrary.compile(source, flags: ["-Wl,--hash-style=\(style)"])
        // Some linkers add names such as _end.
        let symbols = try ElfContents(bytes).symbols.filter { !$0.hasPrefix("_") }
        #expect(symbols.sorted() == ["plain", "protected_one", "use", "weak"])
    }

    @Test(
        "binding and visibility of a symbol decide whether it is exported",
        arguments: [
            (UInt8(0x12), UInt8(0), true), (0x22, 0, true), (0xA2, 0, true), (0x12, 3, true), (0x02, 0, false),
            (0x12, 1, false), (0x12, 2, false),
        ])
    func visibility(info: UInt8, other: UInt8, isExported: Bool) throws {
        let bytes = try CompiledLibrary.compile("int exported(void) { return 1; }")
        let start = Int(bytes.integer(UInt64.self, at: bytes.programHeader(ElfFileTests.dynamic) + 8))
        let entry = try #require((0..<64).map { start + 16 * $0 }.first { bytes.integer(UInt64.self, at: $0) == 6 })
        let names = try #require((0..<64).map { start + 16 * $0 }.first { bytes.integer(UInt64.self, at: $0) == 5 })
        let table = Int(bytes.integer(UInt64.self, at: entry + 8))
        let text = Int(bytes.integer(UInt64.self, at: names + 8))
        let symbol = try #require(
            (1..<16).map { table + 24 * $0 }.first {
                bytes[(text + Int(bytes.integer(UInt32.self, at: $0)))...].starts(with: "exported\0".utf8)
            })
        let contents = try ElfContents(bytes.patched(symbol + 4, info).patched(symbol + 5, other))
        #expect(contents.symbols.contains("exported") == isExported)
    }

    @Test("a library that exports nothing has no exported symbols", arguments: ["sysv", "gnu"])
    func noSymbols(_ style: String) throws {
        let bytes = try CompiledLibrary.compile(
            "int imported(void); __attribute__((visibility(\"hidden\"))) int f(void) { return imported(); }",
            flags: ["-Wl,--hash-style=\(style)"])
        #expect(try ElfContents(bytes).symbols.filter { !$0.hasPrefix("_") }.isEmpty)
    }

    @Test("a position-independent program is distinguished from a library")
    func program() throws {
        let bytes = try CompiledLibrary.compile(
            "void _start(void) {}", flags: ["-fPIE", "-pie"], kind: .program)
        #expect(try ElfContents(bytes).dynamic.isProgram)
    }

    /// An entry of the dynamic section, and the error for another value.
    static let damages: [(tag: UInt64, value: UInt64, message: String)] = [
        (5, 1 << 40, "is outside the string table"),
        (10, 0, "is outside the string table"),
        (14, 1 << 50, "is outside the string table"),
        (10, 1 << 40, "its string table of 1099511627776 bytes is not inside the file"),
        (6, 1 << 40, "symbols are not inside the file"),
    ]

    @Test("a dynamic section that leads out of the file is refused", arguments: damages)
    func damagedEntries(_ damage: (tag: UInt64, value: UInt64, message: String)) throws {
        let bytes = try CompiledLibrary.compile("int exported;", flags: ["-Wl,-soname,libHere.so"])
        let start = Int(bytes.integer(UInt64.self, at: bytes.programHeader(ElfFileTests.dynamic) + 8))
        let entry = try #require(
            (0..<64).map { start + 16 * $0 }.first { bytes.integer(UInt64.self, at: $0) == damage.tag })
        let error = try #require(try refusal { _ = try ElfContents(bytes.patched(entry + 8, damage.value)) })
        #expect(error.code == .malformed && error.message.contains(damage.message), "\(error)")
    }

    @Test("a hash table that claims too much is refused", arguments: [0, 4, 8])
    func damagedHashTable(_ field: Int) throws {
        let bytes = try CompiledLibrary.compile("int exported;", flags: ["-Wl,--hash-style=gnu"])
        let start = Int(bytes.integer(UInt64.self, at: bytes.programHeader(ElfFileTests.dynamic) + 8))
        let entry = try #require(
            (0..<64).map { start + 16 * $0 }.first { bytes.integer(UInt64.self, at: $0) == 0x6FFF_FEF5 })
        // The first segment begins at the start of the file, so the address equals the offset.
        let table = Int(bytes.integer(UInt64.self, at: entry + 8))
        let error = try #require(try refusal { _ = try ElfContents(bytes.patched(table + field, UInt32.max)) })
        #expect(error.code == .malformed && error.message.contains("hash table"), "\(error)")
    }
}
