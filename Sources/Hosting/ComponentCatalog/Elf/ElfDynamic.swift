import Glibc
import SystemSupport

/// The part of a shared object's dynamic section that a host needs.
package struct ElfDynamic: Sendable, Equatable {
    /// The needed libraries (`DT_NEEDED`), in order.
    package var needed: [String] = []
    /// The name of the shared object itself (`DT_SONAME`).
    package var soname: String?
    /// The filtered libraries (`DT_FILTER`, `DT_AUXILIARY`), which are loaded like needed ones.
    package var filtered: [String] = []
    /// The directories that the loader searches for libraries (`DT_RUNPATH`, otherwise `DT_RPATH`), split at colons. An
    /// empty entry is the working directory.
    package var runPath: [String] = []
    /// Whether there is a `DT_RUNPATH`. It applies to this file alone, and disables the `DT_RPATH` of the files that
    /// need this one.
    package var hasRunPath = false
    /// Whether the file is a program (`DF_1_PIE`), which the dynamic loader does not open.
    package var isProgram = false

    /// Whether the file uses the process's Swift runtime rather than its own.
    package var sharesSwiftRuntime: Bool { needed.containsExactly("libswiftCore.so") }

    var stringTable: UInt64 = 0
    var stringTableSize: UInt64 = 0
    var symbolTable: UInt64 = 0
    var hash: UInt64 = 0
    var gnuHash: UInt64 = 0

    package init() {}
}

extension ElfFile {
    /// The dynamic section of a large library has a few hundred entries.
    private static let maximumEntries = 65_536
    private static let maximumNeeded = 1024
    private static let maximumNameLength = 4096

    /// Reads the dynamic section.
    ///
    /// - Returns: The section's contents; an empty value when the file has no dynamic section.
    /// - Throws: `malformed` if the section or a name is outside the file or exceeds a limit; `truncated` or
    ///   `notReadable` if reading fails.
    package func dynamic() throws(ComponentFileError) -> ElfDynamic {
        var dynamic = ElfDynamic()
        guard let segment = segments.first(where: { Int32(bitPattern: $0.type) == PT_DYNAMIC }) else {
            return dynamic
        }
        let count = segment.fileSize / 16
        guard count <= ElfFile.maximumEntries else { throw .malformed("its dynamic section has \(count) entries") }

        var needed: [UInt64] = []
        var filtered: [UInt64] = []
        var soname: UInt64?
        var runPath: UInt64?
        var oldRunPath: UInt64?
        let bytes = unsafe try bytes(segment.offset, Int(count) * 16)
        entries: for index in 0..<Int(count) {
            guard let tag = unsafe bytes.integer(Int64.self, at: index * 16),
                let value = unsafe bytes.integer(UInt64.self, at: index * 16 + 8)
            else { break }
            switch tag {
            case 0: break entries
            case 1: needed.append(value)
            case 4: dynamic.hash = value
            case 5: dynamic.stringTable = value
            case 6: dynamic.symbolTable = value
            case 10: dynamic.stringTableSize = value
            case 14: soname = value
            case 15: oldRunPath = value
            case 29: runPath = value
            case 0x6FFF_FEF5: dynamic.gnuHash = value
            case 0x7FFF_FFFD, 0x7FFF_FFFF: filtered.append(value)
            case 0x6FFF_FFFB: dynamic.isProgram = value & 0x0800_0000 != 0
            default: break
            }
        }
        let libraries = needed.count + filtered.count
        guard libraries <= ElfFile.maximumNeeded else { throw .malformed("it needs \(libraries) libraries") }
        for offset in needed { dynamic.needed.append(try name(at: offset, of: dynamic)) }
        for offset in filtered { dynamic.filtered.append(try name(at: offset, of: dynamic)) }
        if let soname { dynamic.soname = try name(at: soname, of: dynamic) }
        if let path = runPath ?? oldRunPath {
            let text = try name(at: path, of: dynamic)
            // The loader ignores a path that is completely empty, but reads an empty entry as the working directory.
            if !text.isEmpty {
                dynamic.runPath = text.exactParts(between: ":", omittingEmpty: false)
            }
            dynamic.hasRunPath = runPath != nil
        }
        return dynamic
    }

    /// Returns the part of the file that is mapped at `address`, up to the end of its segment.
    func fileRange(of address: UInt64) -> Range<UInt64>? {
        for segment in segments where Int32(bitPattern: segment.type) == PT_LOAD {
            if let range = segment.fileRange(of: address) { return range }
        }
        return nil
    }

    /// Returns a string from the dynamic string table.
    private func name(at offset: UInt64, of dynamic: ElfDynamic) throws(ComponentFileError) -> String {
        guard offset < dynamic.stringTableSize, let table = fileRange(of: dynamic.stringTable),
            offset < table.upperBound - table.lowerBound
        else { throw .malformed("a name in its dynamic section is outside the string table") }
        let available = min(dynamic.stringTableSize, table.upperBound - table.lowerBound) - offset
        let count = Int(min(available, UInt64(ElfFile.maximumNameLength)))
        let bytes = unsafe try bytes(table.lowerBound + offset, count)
        guard let name = unsafe bytes.terminatedText(at: 0, limit: count) else {
            throw .malformed(
                "a name in its dynamic section is not UTF-8, or does not end within \(ElfFile.maximumNameLength) bytes")
        }
        return name
    }
}
