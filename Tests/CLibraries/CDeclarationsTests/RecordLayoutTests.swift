import CDeclarations
import Foundation
import TestSupport
import Testing

/// Compares sizes and offsets with those of a compiler.
struct RecordLayoutTests {
    @Test("generated records have the same layout as in clang", arguments: CTarget.allCases)
    func generated(target: CTarget) async throws {
        var generator = RecordGenerator(seed: 5)
        let records = (0..<500).map { generator.record($0) }
        let text = RecordGenerator.prelude + records.map(\.text).joined()
        let declarations = CDeclarations(parsing: text, target: target)
        #expect(declarations.diagnostics.map(\.description) == [])
        var source = "#include <stddef.h>\n#include <stdint.h>\n" + text
        var offsets = 0
        for (_, name) in records {
            let assertions = try assertions(of: name, in: declarations)
            offsets += assertions.count - 2
            source += assertions.joined(separator: "\n") + "\n"
        }
        #expect(offsets > 2000)
        let run = try await CompilerRun.check(source, for: target)
        #expect(run.status == 0, "\(run.standardError.prefix(4000))")
    }

    @Test("generated bit-fields are at the same bits as in clang", arguments: CTarget.allCases)
    func bits(target: CTarget) async throws {
        var generator = RecordGenerator(seed: 6, hasBits: true)
        let records = (0..<800).map { generator.record($0) }
        let text = RecordGenerator.prelude + records.map(\.text).joined()
        let declarations = CDeclarations(parsing: text, target: target)
        #expect(declarations.diagnostics.map(\.description) == [])
        var source = "#include <stddef.h>\n#include <stdint.h>\n" + text
        for (index, record) in records.enumerated() {
            source += try assertions(of: record.name, in: declarations).joined(separator: "\n") + "\n"
            source += "\(record.name) *use\(index);\n"
        }
        let run = try await CompilerRun.check(source, for: target, ["-Xclang", "-fdump-record-layouts"])
        #expect(run.status == 0, "\(run.standardError.prefix(4000))")
        // "   12:3-7 |   int f4" is a bit-field; the first line of each record is "0 | struct s7".
        var known: [String: [String]] = [:]
        for layout in run.standardOutput.components(separatedBy: "*** Dumping AST Record Layout").dropFirst() {
            let lines = layout.split(separator: "\n").filter { $0.contains(" | ") }
            let name = lines.first?.components(separatedBy: " | ").last ?? ""
            known[name] = lines.compactMap { line in
                let parts = line.components(separatedBy: " | ")
                guard let bits = parts.first?.trimmingCharacters(in: .whitespaces), bits.contains("-"),
                    let field = parts.last?.split(separator: " ").last, field.hasPrefix("f"),
                    // Two spaces for a field of the record itself, more for one of a record in it.
                    parts.last?.prefix(while: { $0 == " " }).count == 2
                else { return nil }
                return "\(field) \(bits)"
            }
        }
        var compared = 0
        for (_, name) in records {
            guard case .record(let record)? = declarations.type(named: name)?.kind, let theirs = known[name] else {
                continue
            }
            let ours = try #require(declarations.definition(of: record)).fields.compactMap { field in
                field.bits.map { bits in
                    "\(field.name ?? "") \(field.offset):\(bits.start)-\(bits.start + bits.width - 1)"
                }
            }
            #expect(ours == theirs, "\(name)")
            compared += ours.count
        }
        #expect(compared > 500)
    }

    /// Bit-fields that cannot be, each with what is said about it.
    private static let wrongBitFields: [(text: String, message: String)] = [
        ("struct s { int a : 33; };", "expected 1 to 32 bits for 'a', found 33"),
        ("struct s { int a : 0; };", "expected 1 to 32 bits for 'a', found 0"),
        ("struct s { int a : -1; };", "expected 1 to 32 bits for 'a', found -1"),
        ("struct s { _Bool a : 2; };", "expected 1 to 1 bits for 'a', found 2"),
        ("struct s { float a : 2; };", "expected an integer as the type of 'a', found 'float'"),
        ("struct s { int *a : 2; };", "expected an integer as the type of 'a', found 'int *'"),
        ("struct s { int : 70; };", "expected 0 to 32 bits for a bit-field, found 70"),
        ("struct s { int b[]; int a : 2; };", "'a' can't follow an array without a length"),
        ("struct s { int a : 2; int a : 3; };", "duplicate field 'a'"),
    ]

    @Test("a bit-field that is too wide, or of another type, is an error", arguments: wrongBitFields)
    func wrongBits(text: String, message: String) {
        let declarations = CDeclarations(parsing: text, name: "d")
        #expect(declarations.diagnostics.map(\.message) == [message])
    }

    @Test("a wrong size is noticed")
    func wrong() async throws {
        let run = try await CompilerRun.check(
            "struct s { int a; }; _Static_assert(sizeof(struct s) == 5, \"\");", for: .current)
        #expect(run.status != 0 && run.standardError.contains("4 == 5"))
    }

    /// Structs of the system's headers, as in their manual pages.
    private static let known: [(header: String, name: String, text: String)] = [
        (
            "time.h", "struct tm",
            """
            struct tm {
                int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
                long tm_gmtoff; const char *tm_zone;
            };
            """
        ),
        ("sys/time.h", "struct timeval", "struct timeval { time_t tv_sec; suseconds_t tv_usec; };"),
        ("stdlib.h", "div_t", "typedef struct { int quot, rem; } div_t;"),
        ("stdlib.h", "lldiv_t", "typedef struct { long long int quot; long long int rem; } lldiv_t;"),
        (
            "netinet/in.h", "struct sockaddr_in",
            """
            struct in_addr { in_addr_t s_addr; };
            struct sockaddr_in {
                sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; unsigned char sin_zero[8];
            };
            """
        ),
        (
            "sys/resource.h", "struct rusage",
            """
            struct timeval { time_t tv_sec; suseconds_t tv_usec; };
            struct rusage {
                struct timeval ru_utime; struct timeval ru_stime; long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss,
                ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw,
                ru_nivcsw;
            };
            """
        ),
        (
            "malloc.h", "struct mallinfo2",
            """
            struct mallinfo2 {
                size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
            };
            """
        ),
        (
            "search.h", "struct entry", "typedef struct entry { char *key; void *data; } ENTRY;"
        ),
        (
            "sys/stat.h", "struct stat",
            """
            struct timespec { time_t tv_sec; long tv_nsec; };
            #pragma pack(push, 8)
            struct stat {
                dev_t st_dev; ino_t st_ino;
                STAT
                blkcnt_t st_blocks; struct timespec st_atim, st_mtim, st_ctim;
                REST
            };
            #pragma pack(pop)
            """
            .replacing(
                "STAT",
                with: CTarget.current == .amd64
                    ? "nlink_t st_nlink; mode_t st_mode; uid_t st_uid; gid_t st_gid; int pad; dev_t st_rdev;"
                        + "off_t st_size; blksize_t st_blksize;"
                    : "mode_t st_mode; nlink_t st_nlink; uid_t st_uid; gid_t st_gid; dev_t st_rdev; dev_t pad;"
                        + "off_t st_size; blksize_t st_blksize; int pad2;"
            )
            .replacing("REST", with: CTarget.current == .amd64 ? "long reserved[3];" : "int reserved[2];")
        ),
    ]

    @Test("structs of the system's headers have the system's layout", arguments: known)
    func headers(header: String, name: String, text: String) async throws {
        let declarations = CDeclarations(parsing: text)
        #expect(declarations.diagnostics.map(\.description) == [])
        let lines = try assertions(of: name, in: declarations).filter {
            !$0.contains("pad") && !$0.contains("reserved")
        }
        #expect(lines.count > 3)
        let source = "#define _GNU_SOURCE\n#include <stddef.h>\n#include <\(header)>\n" + lines.joined(separator: "\n")
        let run = try await CompilerRun.check(source, for: .current)
        #expect(run.status == 0, "\(run.standardError)")
    }

    /// Size, alignment and offsets, as assertions of C.
    private func assertions(of name: String, in declarations: CDeclarations) throws -> [String] {
        let type = try #require(declarations.type(named: name))
        guard case .record(let record) = type.kind else { throw CObstacle("\(name) is no struct") }
        let definition = try #require(declarations.definition(of: record))
        let layout = try definition.layout.get()
        let offsets = definition.namedFields.compactMap { field in
            field.bits != nil
                ? nil
                : field.name.map { "_Static_assert(offsetof(\(name), \($0)) == \(field.offset), \"\(name).\($0)\");" }
        }
        return [
            "_Static_assert(sizeof(\(name)) == \(layout.size), \"\(name)\");",
            "_Static_assert(_Alignof(\(name)) == \(layout.alignment), \"\(name)\");",
        ] + offsets
    }
}
