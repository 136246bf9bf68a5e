extension ElfFile {
    /// The size of a symbol in the file, in bytes.
    private static let symbolSize = 24
    private static let maximumSymbols = 1 << 20
    private static let maximumStringTable: UInt64 = 64 << 20
    private static let maximumNameBytes = 64 << 20

    /// Returns the names of the exported symbols: those that are defined, global or weak, and visible outside the
    /// file.
    ///
    /// - Parameter dynamic: The result of ``dynamic()``.
    /// - Returns: The names as the linker sees them, in the order of the symbol table.
    /// - Throws: `malformed` if a table is outside the file or exceeds a limit; `truncated` or `notReadable` if reading
    ///   fails.
    package func exportedSymbols(_ dynamic: ElfDynamic) throws(ComponentFileError) -> [String] {
        try exportedSymbols(dynamic, bindings: [ElfFile.global, ElfFile.weak, ElfFile.unique])
    }

    /// Returns the names of the variables of which a process has only one, even if several libraries define them and
    /// none of them is visible to the others (`STB_GNU_UNIQUE`): the inline variables, static members of templates and
    /// static variables of inline functions in C++, as GCC compiles them. The flags that say whether one of them has been
    /// initialized are left out.
    ///
    /// Weak variables, which Clang makes instead, are not shared between libraries that are loaded with `RTLD_LOCAL`, as
    /// hosts do.
    ///
    /// - Parameter dynamic: The result of ``dynamic()``.
    /// - Throws: The errors of ``exportedSymbols(_:)``.
    package func sharedVariables(_ dynamic: ElfDynamic) throws(ComponentFileError) -> [String] {
        try exportedSymbols(dynamic, bindings: [ElfFile.unique]).filter { !$0.hasPrefix("_ZGV") }
    }

    private static let (global, weak, unique): (UInt8, UInt8, UInt8) = (1, 2, 10)

    private func exportedSymbols(
        _ dynamic: ElfDynamic, bindings: Set<UInt8>
    ) throws(ComponentFileError) -> [String] {
        let count = try symbolCount(dynamic)
        guard count > 0 else { return [] }
        guard let symbols = fileRange(of: dynamic.symbolTable),
            UInt64(count * ElfFile.symbolSize) <= symbols.upperBound - symbols.lowerBound
        else { throw .malformed("its \(count) symbols are not inside the file") }
        guard let names = fileRange(of: dynamic.stringTable),
            dynamic.stringTableSize <= min(names.upperBound - names.lowerBound, ElfFile.maximumStringTable)
        else { throw .malformed("its string table of \(dynamic.stringTableSize) bytes is not inside the file") }

        var positions: [Int] = []
        let table = unsafe try bytes(symbols.lowerBound, count * ElfFile.symbolSize)
        for index in 1..<max(count, 1) {
            let start = index * ElfFile.symbolSize
            guard let name = unsafe table.integer(UInt32.self, at: start),
                let info = unsafe table.integer(UInt8.self, at: start + 4),
                let other = unsafe table.integer(UInt8.self, at: start + 5),
                let section = unsafe table.integer(UInt16.self, at: start + 6)
            else { break }
            guard section != 0, bindings.contains(info >> 4), ElfFile.isVisible(other) else { continue }
            positions.append(Int(name))
        }
        let text = unsafe try bytes(names.lowerBound, Int(dynamic.stringTableSize))
        var exported: [String] = []
        exported.reserveCapacity(positions.count)
        var nameBytes = 0
        for position in positions {
            guard
                let name = unsafe text.terminatedText(
                    at: position, limit: ElfFile.maximumNameBytes - nameBytes, isShown: true)
            else {
                throw .malformed("a symbol name is not terminated, or the names exceed the size limit")
            }
            nameBytes += name.utf8.count
            exported.append(name)
        }
        return exported
    }

    /// Returns whether the visibility is default (0) or protected (3).
    private static func isVisible(_ other: UInt8) -> Bool { other & 3 == 0 || other & 3 == 3 }

    /// Returns the number of symbols, which only the hash tables record.
    private func symbolCount(_ dynamic: ElfDynamic) throws(ComponentFileError) -> Int {
        let count: Int
        if let range = fileRange(of: dynamic.hash), dynamic.hash != 0 {
            guard let chains = unsafe try words(1, at: range.lowerBound + 4, in: range).integer(UInt32.self, at: 0)
            else { return 0 }
            count = Int(chains)
        } else if let range = fileRange(of: dynamic.gnuHash), dynamic.gnuHash != 0 {
            count = try symbolCount(gnuHash: range)
        } else {
            return 0
        }
        guard count <= ElfFile.maximumSymbols else { throw .malformed("it claims to have \(count) symbols") }
        return count
    }

    /// Returns the number of symbols according to the GNU hash table. The table lists the hashed symbols bucket by
    /// bucket. The chain of the last bucket ends with the last symbol, whose hash has its lowest bit set.
    private func symbolCount(gnuHash range: Range<UInt64>) throws(ComponentFileError) -> Int {
        let header = unsafe try words(4, at: range.lowerBound, in: range)
        guard let bucketCount = unsafe header.integer(UInt32.self, at: 0).map(Int.init),
            let first = unsafe header.integer(UInt32.self, at: 4).map(Int.init),
            let bloomCount = unsafe header.integer(UInt32.self, at: 8).map(Int.init)
        else { return 0 }
        guard bucketCount <= ElfFile.maximumSymbols, first <= ElfFile.maximumSymbols else {
            throw .malformed("its hash table claims to have \(bucketCount) buckets and to start at symbol \(first)")
        }
        let buckets = range.lowerBound + 16 + UInt64(bloomCount) * 8
        var last = 0
        let starts = unsafe try words(bucketCount, at: buckets, in: range)
        for index in 0..<bucketCount {
            last = max(last, unsafe starts.integer(UInt32.self, at: index * 4).map(Int.init) ?? 0)
        }
        guard last >= first else { return first }

        let chains = buckets + UInt64(bucketCount) * 4
        let piece = 1024
        while last <= ElfFile.maximumSymbols {
            let position = chains + UInt64(last - first) * 4
            guard position < range.upperBound else { break }
            let count = min(piece, Int(range.upperBound - position) / 4)
            let chain = unsafe try words(count, at: position, in: range)
            for index in 0..<count {
                last += 1
                if unsafe (chain.integer(UInt32.self, at: index * 4) ?? 1) & 1 == 1 { return last }
            }
            if count < piece { break }
        }
        throw .malformed("its hash table is not terminated")
    }

    /// Returns `count` 32-bit words, which must be inside `range`.
    private func words(
        _ count: Int, at offset: UInt64, in range: Range<UInt64>
    ) throws(ComponentFileError) -> UnsafeRawBufferPointer {
        guard offset <= range.upperBound, UInt64(count) * 4 <= range.upperBound - offset else {
            throw .malformed("its hash table extends beyond its segment")
        }
        return unsafe try bytes(offset, count * 4)
    }
}
