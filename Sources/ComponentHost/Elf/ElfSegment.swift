import Glibc

/// A program header: which bytes of the file serve which purpose, and where they lie in memory.
struct ElfSegment {
    /// Bytes of one program header in the file.
    static let size = 56

    let type: UInt32
    let offset: UInt64
    let address: UInt64
    let fileSize: UInt64
    let end: UInt64

    /// - Returns: nil when `bytes` has no whole header at `position`, or its end overflows.
    init?(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        guard let type = unsafe bytes.integer(UInt32.self, at: position),
            let offset = unsafe bytes.integer(UInt64.self, at: position + 8),
            let address = unsafe bytes.integer(UInt64.self, at: position + 16),
            let fileSize = unsafe bytes.integer(UInt64.self, at: position + 32)
        else { return nil }
        let (end, overflow) = offset.addingReportingOverflow(fileSize)
        if overflow { return nil }
        self.type = type
        self.offset = offset
        self.address = address
        self.fileSize = fileSize
        self.end = end
    }

    /// Which part of the file is in memory at `address`: from there to the end of the segment.
    func fileRange(of address: UInt64) -> Range<UInt64>? {
        guard address >= self.address, address - self.address < fileSize else { return nil }
        return offset + (address - self.address)..<end
    }
}
