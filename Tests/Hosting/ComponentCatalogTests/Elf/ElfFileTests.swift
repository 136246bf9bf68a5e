import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog

@Suite("ELF files")
struct ElfFileTests {
    /// A change in the header, and its error.
    struct Damage: CustomTestStringConvertible, Sendable {
        let name: String
        let code: ComponentFileError.Code
        let message: String
        let change: @Sendable ([UInt8]) -> [UInt8]

        init(
            _ name: String, _ code: ComponentFileError.Code, _ message: String,
            _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
        ) {
            self.name = name
            self.code = code
            self.message = message
            self.change = change
        }

        var testDescription: String { name }
    }

    static let note: UInt32 = 4
    static let dynamic: UInt32 = 2

    static let damages: [Damage] = [
        Damage("empty", .notElf, "the file is empty") { _ in [] },
        Damage("text", .notElf, "not an ELF file but text, which begins with \"#!/bin/sh\\n\"") { _ in
            Array("#!/bin/sh\n".utf8)
        },
        Damage("a control character in text", .notElf, "begins with the bytes 1b 5b 32 4a") { _ in
            Array("\u{1B}[2J".utf8)
        },
        Damage("an archive", .notElf, "a static library") { _ in Array("!<arch>\n/   ".utf8) },
        Damage("other bytes", .notElf, "begins with the bytes 00 ff 10, not with 7f 45 4c 46") { _ in [0, 255, 16] },
        Damage("32 bits", .wrongFormat, "the ELF file is 32-bit") { $0.patched(4, UInt8(1)) },
        Damage("no class", .wrongFormat, "the ELF file is of class 9") { $0.patched(4, UInt8(9)) },
        Damage("big-endian", .wrongFormat, "the ELF file is big-endian") { $0.patched(5, UInt8(2)) },
        Damage("32-bit ARM", .wrongMachine, "is for ARM, but this host runs on") { $0.patched(18, UInt16(40)) },
        Damage("an unknown machine", .wrongMachine, "is for machine 4242") { $0.patched(18, UInt16(4242)) },
        Damage("an object file", .notASharedObject, "an object file (.o), not a shared object") {
            $0.patched(16, UInt16(1))
        },
        Damage("a program", .notASharedObject, "a program, not a shared object") { $0.patched(16, UInt16(2)) },
        Damage("no program headers", .malformed, "found 0 of 56") { $0.patched(56, UInt16(0)) },
        Damage("65,535 program headers", .malformed, "found 65535 of 56") { $0.patched(56, UInt16.max) },
        Damage("small program headers", .malformed, "of 32") { $0.patched(54, UInt16(32)) },
        Damage("program headers at the end of the address space", .malformed, "offset 18446744073709551615") {
            $0.patched(32, UInt64.max)
        },
        Damage("program headers beyond the file", .truncated, "need at least 1000") {
            $0.patched(32, UInt64(1_000_000))
        },
        Damage("section headers beyond the file", .truncated, "the file is truncated") {
            $0.patched(40, UInt64(1_000_000))
        },
        Damage("section headers at the end of the address space", .malformed, "the section headers at offset") {
            $0.patched(40, UInt64.max)
        },
        Damage("notes beyond the file", .truncated, "the file is truncated") {
            $0.patched($0.programHeader(note) + 8, UInt64(1_000_000))
        },
        Damage("notes that end at 2^64", .malformed, "ends beyond 2^64") {
            $0.patched($0.programHeader(note) + 32, UInt64.max)
        },
        Damage("a dynamic section beyond the file", .truncated, "the file is truncated") {
            $0.patched($0.programHeader(dynamic) + 32, UInt64(1 << 40))
        },
        Damage("a note that is longer than its segment", .malformed, "the note at offset 0 of its segment ends at") {
            $0.patched($0.noteOffset + 4, UInt32.max)
        },
        Damage("an owner that is longer than its segment", .malformed, "the note at offset 0 of its segment ends at") {
            $0.patched($0.noteOffset, UInt32.max)
        },
    ]

    @Test("a damaged header is refused with its values", arguments: damages)
    func damagedHeader(_ damage: Damage) throws {
        let bytes = damage.change(try CompiledLibrary.small.get())
        let error = try #require(try refusal { _ = try ElfContents(bytes) })
        #expect(error.code == damage.code)
        #expect(error.message.contains(damage.message), "\(error.message)")
    }

    @Test("headers that overlap the ELF header are read normally")
    func overlappingHeaders() throws {
        let bytes = try CompiledLibrary.small.get()
        let one = bytes.patched(32, UInt64(0)).patched(56, UInt16(1))
        #expect(try ElfContents(one) == ElfContents())
    }

    @Test("a file that ends anywhere before its end is refused with both sizes")
    func truncation() throws {
        let bytes = try CompiledLibrary.small.get()
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, to: "file.so")
        for length in stride(from: bytes.count - 1, through: 0, by: -1) {
            try #require(unsafe truncate(path, length) == 0)
            let error = try #require(try refusal { _ = try ElfContents(path: path) }, "\(length) bytes")
            if length < 4 {
                #expect(error.code == .notElf)
            } else {
                #expect(error.code == .truncated && error.message.contains(" it has \(length);"), "\(error)")
            }
        }
    }

    @Test("a file that was truncated after its size was read is refused")
    func cutWhileReading() throws {
        let bytes = try CompiledLibrary.compile(
            CompiledLibrary.source(name: "Late") + "\n" + ElfNoteTests.padding(bytes: 20_000))
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes.prefix(10_000), to: "file.so")
        let descriptor = unsafe open(path, O_RDONLY)
        defer { close(descriptor) }
        let error = try refusal { _ = try ElfContents(descriptor: descriptor, size: Int64(bytes.count)) }
        #expect(error?.code == .truncated)
    }

    @Test("a file with flipped bits is read or refused", arguments: [1, 2, 8])
    func flippedBits(count: Int) throws {
        let bytes = try CompiledLibrary.compile(
            CompiledLibrary.source(name: "Flipped") + "\nint exported(void) { return 1; }")
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, to: "file.so")
        let descriptor = unsafe open(path, O_RDWR)
        defer { close(descriptor) }
        var random = SplitMix(state: 20_251_121)
        // Headers, notes and tables are in the first and the last kB; the rest is padding.
        let interesting = Array(bytes.indices.filter { $0 < 1200 || bytes[$0] != 0 })
        var refusals = 0
        var differences = 0
        let sound = try ElfContents(path: path)
        for _ in 0..<1500 {
            var changed = bytes
            for _ in 0..<count {
                changed[interesting.randomElement(using: &random)!] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            #expect(unsafe pwrite(descriptor, changed, changed.count, 0) == changed.count)
            do {
                if try ElfContents(path: path) != sound { differences += 1 }
            } catch let error as ComponentFileError {
                #expect(!error.message.isEmpty)
                refusals += 1
            }
        }
        #expect(refusals > 50)
        #expect(differences > 50)
        #expect(refusals + differences < 1500)
    }
}

extension [UInt8] {
    /// The offset of the first note.
    var noteOffset: Int { Int(integer(UInt64.self, at: programHeader(ElfFileTests.note) + 8)) }
}

/// A generator with a fixed sequence (SplitMix64 by Steele, Lea and Flood).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
