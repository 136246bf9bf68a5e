import Glibc

/// An event as the system writes it (`struct inotify_event`).
package struct WatchEvent {
    /// The number of the watch; -1 when events have been lost.
    package let watch: Int32
    /// What it is about in the directory; empty for the directory itself.
    package let name: String
    private let mask: UInt32

    /// - Parameter bytes: events one after the other; what is taken is left out afterwards.
    /// - Returns: nil at the end.
    package init?(takingFrom bytes: inout UnsafeRawBufferPointer) {
        let headerSize = 16
        guard bytes.count >= headerSize else { return nil }
        watch = unsafe bytes.loadUnaligned(as: Int32.self)
        mask = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        guard bytes.count - headerSize >= length else { return nil }
        let end = headerSize + length
        name = unsafe String(decoding: bytes[headerSize..<end].prefix { $0 != 0 }, as: UTF8.self)
        unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[end...])
    }

    package func has(_ flag: Int32) -> Bool { mask & UInt32(flag) != 0 }
}
