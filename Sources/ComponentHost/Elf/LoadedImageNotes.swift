import CGlibc
import Glibc

/// The notes of an image that is in memory: how a host reads the manifests of the components that are
/// linked into the program itself.
package enum LoadedImageNotes {
    /// Calls `body` with the notes of the owner "HSL" of the image that holds `address`, in order.
    ///
    /// - Parameters:
    ///   - address: of anything in the image, as a function's; any other has no notes.
    ///   - body: what it is given is valid as long as the image.
    /// - Throws: `malformed` when a note reaches beyond its segment, and what `body` throws.
    package static func forEachNote(
        around address: UnsafeRawPointer, _ body: (ElfNote) throws(ComponentFileError) -> Void
    ) throws(ComponentFileError) {
        // Glibc's module leaves out what <link.h> declares for GNU programs only.
        guard let symbol = unsafe dlsym(nil, "dl_iterate_phdr") else { return }
        let iterate = unsafe unsafeBitCast(symbol, to: Iterate.self)
        var search = unsafe Search(address: UInt(bitPattern: address))
        _ = unsafe withUnsafeMutablePointer(to: &search) { search in
            unsafe iterate(
                { info, size, data in
                    guard let info = unsafe info?.assumingMemoryBound(to: ImageInfo.self).pointee,
                        let search = unsafe data?.assumingMemoryBound(to: Search.self)
                    else { return 1 }
                    return unsafe search.pointee.visit(info) ? 1 : 0
                }, search)
        }
        for index in unsafe search.segments.indices {
            let segment = unsafe search.segments[index]
            guard let start = segment.baseAddress else { continue }
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: segment.count, alignment: 16)
            defer { unsafe copy.deallocate() }
            if let to = copy.baseAddress { unsafe hslink_copy_image(to, start, segment.count) }
            var cursor = unsafe ElfNoteCursor(UnsafeRawBufferPointer(copy))
            while let note = unsafe try cursor.next() { try unsafe body(note) }
        }
    }

    private typealias Callback =
        @convention(c) (
            _ info: UnsafeMutableRawPointer?, _ size: Int, _ data: UnsafeMutableRawPointer?
        ) -> Int32
    private typealias Iterate = @convention(c) (Callback, UnsafeMutableRawPointer?) -> Int32

    /// The beginning of `struct dl_phdr_info`, see dl_iterate_phdr(3).
    @unsafe
    private struct ImageInfo {
        let base: UInt
        let name: UnsafePointer<CChar>?
        let headers: UnsafePointer<Elf64_Phdr>?
        let count: UInt16
    }

    /// Finds the image of an address. The loader has checked the headers of what it loaded; its lock is
    /// held meanwhile, so the notes are read afterwards (the image of the caller's own address stays).
    @unsafe
    private struct Search {
        let address: UInt
        var segments: [UnsafeRawBufferPointer]

        init(address: UInt) {
            unsafe self.address = address
            unsafe segments = []
        }

        mutating func visit(_ image: ImageInfo) -> Bool {
            let headers = unsafe UnsafeBufferPointer(start: image.headers, count: Int(image.count))
            let loads = unsafe headers.filter { $0.p_type == UInt32(PT_LOAD) }
            let offset = unsafe address &- image.base
            guard loads.contains(where: { $0.memory.contains(offset) }) else { return false }
            for index in headers.indices {
                let header = unsafe headers[index]
                let memory = header.memory
                let isLoaded = loads.contains {
                    $0.memory.contains(memory.lowerBound) && $0.memory.upperBound >= memory.upperBound
                }
                guard header.p_type == UInt32(PT_NOTE), isLoaded else { continue }
                unsafe segments.append(
                    UnsafeRawBufferPointer(
                        start: UnsafeRawPointer(bitPattern: image.base &+ memory.lowerBound), count: memory.count))
            }
            return true
        }
    }
}

extension Elf64_Phdr {
    /// The addresses of the segment, relative to where the image begins.
    fileprivate var memory: Range<UInt> {
        let start = UInt(p_vaddr)
        let (end, overflow) = start.addingReportingOverflow(UInt(p_memsz))
        return start..<(overflow ? start : end)
    }
}
