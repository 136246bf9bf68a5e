import CGlibc
import Glibc

/// The notes of an image in memory, from which a host reads the manifests of components that are linked into the
/// program itself.
package enum LoadedImageNotes {
    /// Calls `body` with the notes that have the owner "HSL" in the image that contains `address`, in order.
    ///
    /// - Parameters:
    ///   - address: The address of anything in the image, such as a function. An address outside all images has no
    ///     notes.
    ///   - body: Receives a note that is valid until it returns.
    /// - Throws: `malformed` if a note extends beyond its segment; any error that `body` throws.
    package static func forEachNote(
        around address: UnsafeRawPointer, _ body: (ElfNote) throws(ComponentFileError) -> Void
    ) throws(ComponentFileError) {
        // The Glibc module omits what <link.h> declares only for GNU programs.
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

    /// The first members of `struct dl_phdr_info`; see dl_iterate_phdr(3).
    @unsafe
    private struct ImageInfo {
        let base: UInt
        let name: UnsafePointer<CChar>?
        let headers: UnsafePointer<Elf64_Phdr>?
        let count: UInt16
    }

    /// Finds the image that contains an address. The loader has checked the headers of the images it loaded. The
    /// loader's lock is held during the search, so the notes are read afterwards; an image that contains the caller's
    /// own address stays loaded.
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
    /// The addresses of the segment, relative to the start of the image.
    fileprivate var memory: Range<UInt> {
        let start = UInt(p_vaddr)
        let (end, overflow) = start.addingReportingOverflow(UInt(p_memsz))
        return start..<(overflow ? start : end)
    }
}
