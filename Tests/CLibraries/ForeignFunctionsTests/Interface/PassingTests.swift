import CDeclarations
import CFFI
import Foundation
import TestSupport
import Testing

@testable import ForeignFunctions

/// Passes structs by value with libffi in a program of C, with the elements that stand for them, and compares what a
/// compiled function gets and returns.
@Suite("Arguments by value")
struct PassingTests {
    /// Where libffi for aarch64 is unpacked, for a compiler and an emulator of that machine.
    private static var armRoot: String? { ProcessInfo.processInfo.environment["HSLINK_AARCH64_ROOT"] }

    @Test("are passed like the compiler does", arguments: CTarget.allCases)
    func passed(target: CTarget) async throws {
        guard target == .current || Self.armRoot != nil else { return }
        let directory = try TemporaryDirectory()
        var program = PassingProgram(seed: 3)
        let declarations = CDeclarations(parsing: program.declarations, target: target)
        try #require(declarations.diagnostics.isEmpty, "\(declarations.diagnostics)")
        let passed = program.add(InterfaceTypes(declarations), declarations)
        #expect(passed > 100)
        #expect(try await Self.output(of: program.source, on: target, in: directory) == "\(passed) passed\n")
    }

    @Test("arguments that are all in registers arrive there", arguments: CTarget.allCases)
    func registers(target: CTarget) async throws {
        guard target == .current || Self.armRoot != nil else { return }
        let header = BuiltProducts.packageDirectory.appending(path: "Sources/Boundary/CFFI/hslink_registers.h")
        let source = """
            #define _Nonnull
            #include "\(header.path)"
            #include <stdio.h>
            #include <string.h>
            /* Functions of libraries are found when the program runs; a compiler that knows them makes other calls. */
            #define FAR __attribute__((noinline))
            #define FOUND(function) ({ const void *volatile found = (const void *)(function); found; })
            FAR signed char last(long a, int b, short c, signed char d, unsigned char e, signed char f) {
                return a == -1 && b == -2 && c == -3 && d == -4 && e == 250 ? f : 0;
            }
            FAR float mixed(float a, int b, double c, const char *d, float e, unsigned char f, double g, float h, double i,
                            float j, long k, double l) {
                return a + 2 * b + 3 * c + 5 * strlen(d) + 7 * e + 11 * f + 13 * g + 17 * h + 19 * i + 23 * j + 29 * k + 31 * l;
            }
            FAR double half(double number) { return number / 2; }
            FAR const char *rest(const char *text, unsigned long from) { return text + from; }
            static void set(hslink_registers *r, int at, float number) { memcpy(&r->floats[at], &number, sizeof number); }
            int main(void) {
                hslink_registers i = {{-1, 0, -2, 0, -3, 0, -4, 0, 250, 0, -128, 0}, {0}};
                printf("%d\\n", (signed char)hslink_call_for_integer(FOUND(last), &i, 0));
                hslink_registers m = {{-3, 0, (long)"four", 0, 200, 0, -2, 0}, {0, -1.25, 0, 8, 0, 1, 0, 0.25}};
                set(&m, 0, 0.5f); set(&m, 2, 2.5f); set(&m, 4, -0.5f); set(&m, 6, 4);
                printf("%g\\n", hslink_call_for_float(FOUND(mixed), &m, 1));
                hslink_registers d = {{0}, {5}};
                printf("%g\\n", hslink_call_for_double(FOUND(half), &d, 1));
                hslink_registers t = {{(long)"abcdef", 0, 4}, {0}};
                puts((const char *)hslink_call_for_integer(FOUND(rest), &t, 0));
            }
            """
        let output = try await Self.output(of: source, on: target, in: TemporaryDirectory())
        #expect(output == "-128\n2384.5\n2.5\nef\n")
    }

    /// Compiles a program for a machine, and returns what it prints there.
    private static func output(
        of text: String, on target: CTarget, in directory: TemporaryDirectory
    ) async throws -> String {
        let source = try directory.write(text, to: "passing.c")
        let file = directory.path(of: "passing")
        let root = armRoot ?? ""
        let compiler =
            target == .current
            ? ["clang", "-w", "-O1", source, "-o", file, "-lffi"]
            : [
                "aarch64-linux-gnu-gcc", "-w", "-O1", "-I\(root)/usr/include/aarch64-linux-gnu", source, "-o", file,
                "\(root)/usr/lib/aarch64-linux-gnu/libffi.so.8",
            ]
        let compiled = try await ProgramRun.of(URL(filePath: "/usr/bin/env"), compiler)
        try #require(compiled.status == 0, "\(compiled.standardError)")
        let emulator =
            target == .current
            ? [file]
            : [
                "qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-E",
                "LD_LIBRARY_PATH=\(root)/usr/lib/aarch64-linux-gnu", file,
            ]
        let run = try await ProgramRun.of(URL(filePath: "/usr/bin/env"), emulator)
        #expect(run.status == 0)
        return run.standardOutput
    }
}

/// A C program with structs of all kinds, a function for each, and calls of these functions through libffi.
private struct PassingProgram {
    private(set) var declarations = ""
    private var code = ""
    private var calls = ""
    private var random: SplitMix64
    /// For each struct, expressions for its numbers, such as ".f0[1]".
    private var numbers: [[String]] = []

    private static let scalars = [
        "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "float", "double",
        "float",
        "double", "long long", "long double",
    ]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        for index in 0..<160 { addStruct(index) }
    }

    var source: String {
        """
        #include <ffi.h>
        #include <stdio.h>
        #include <string.h>
        \(declarations)
        static int failures, calls;
        \(code)
        int main(void) {
        \(calls)
            if (!failures) printf("%d passed\\n", calls);
            return failures != 0;
        }
        """
    }

    private mutating func pick<Value>(_ all: [Value]) -> Value { all[Int.random(in: 0..<all.count, using: &random)] }

    private mutating func addStruct(_ index: Int) {
        // Half of them have numbers of one type, which machines may pass in registers for floating-point numbers.
        let only = Int.random(in: 0..<2, using: &random) == 0 ? pick(PassingProgram.scalars) : nil
        var (fields, found): (String, [String]) = ("", [])
        for field in 0..<Int.random(in: 1...4, using: &random) {
            let type = only ?? pick(PassingProgram.scalars)
            switch Int.random(in: 0..<7, using: &random) {
            case 0:
                fields += "\(type) f\(field)[2]; "
                found += [".f\(field)[0]", ".f\(field)[1]"]
            case 1 where index > 4:
                let inner = Int.random(in: 0..<index, using: &random)
                guard numbers[inner].count < 5 else { fallthrough }
                fields += "struct s\(inner) f\(field); "
                found += numbers[inner].map { ".f\(field)\($0)" }
            case 2:
                let width = Int.random(in: 5...16, using: &random)
                fields += "\(pick(["int", "unsigned", "short", "long"])) f\(field) : \(width); "
                found.append(".f\(field)")
            default:
                fields += "\(type) f\(field); "
                found.append(".f\(field)")
            }
        }
        declarations += "struct s\(index) { \(fields)};\n"
        numbers.append(found)
    }

    /// Adds the calls.
    ///
    /// - Returns: How many structs can be passed.
    mutating func add(_ types: InterfaceTypes, _ declarations: CDeclarations) -> Int {
        var count = 0
        for (index, numbers) in numbers.enumerated() {
            guard case .record(let record)? = declarations.type(named: "struct s\(index)")?.kind,
                let type = try? types.type(of: CType(.record(record)))
            else { continue }
            count += 1
            let name = "struct s\(index)"
            code += "static \(name) a\(index), b\(index);\n"
            let same = numbers.map { "x\($0) == a\(index)\($0) && y\($0) == b\(index)\($0)" }.joined(separator: " && ")
            code += "static \(name) f\(index)(int n, \(name) x, double d, \(name) y) {\n"
            code +=
                "    if (!(n == 7 && d == 2.5 && \(same))) { failures++; puts(\"\(name) gets\"); }\n    return y;\n}\n"
            code += "static void c\(index)(void) {\n    static ffi_type *e[] = {\(elements(type)), NULL};\n"
            code += "    static ffi_type t = {\(unsafe type.pointer.pointee.size), "
            code += "\(unsafe type.pointer.pointee.alignment), FFI_TYPE_STRUCT, e};\n"
            for (place, number) in numbers.enumerated() {
                // Small enough for every bit-field.
                code +=
                    "    a\(index)\(number) = (long)\(place % 13 + 1); b\(index)\(number) = (long)\(14 - place % 13);\n"
            }
            code += "    ffi_cif cif; ffi_type *types[] = {&ffi_type_sint, &t, &ffi_type_double, &t};\n"
            code += "    int n = 7; double d = 2.5;\n"
            code += "    void *values[] = {&n, &a\(index), &d, &b\(index)}; union { \(name) r; long word[64]; } r;\n"
            code += "    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, 4, &t, types)) { failures++; return; }\n"
            code += "    ffi_call(&cif, (void (*)(void))f\(index), &r, values); calls++;\n"
            let returned = numbers.map { "r.r\($0) == b\(index)\($0)" }.joined(separator: " && ")
            code += "    if (!(\(returned))) { failures++; puts(\"\(name) returns\"); }\n}\n"
            calls += "    c\(index)();\n"
        }
        return count
    }

    private func elements(_ type: InterfaceType) -> String {
        let names: [Int32: String] = [
            FFI_TYPE_FLOAT: "float", FFI_TYPE_DOUBLE: "double", FFI_TYPE_LONGDOUBLE: "longdouble",
            FFI_TYPE_UINT8: "uint8", FFI_TYPE_SINT8: "sint8", FFI_TYPE_UINT16: "uint16", FFI_TYPE_SINT16: "sint16",
            FFI_TYPE_UINT32: "uint32", FFI_TYPE_SINT32: "sint32", FFI_TYPE_UINT64: "uint64", FFI_TYPE_SINT64: "sint64",
            FFI_TYPE_POINTER: "pointer",
        ]
        var found: [String] = []
        var next = unsafe type.pointer.pointee.elements
        while let element = unsafe next?.pointee {
            unsafe found.append("&ffi_type_" + (names[Int32(element.pointee.type)] ?? "void"))
            unsafe next = next?.successor()
        }
        return found.joined(separator: ", ")
    }
}
