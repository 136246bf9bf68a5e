import Glibc

extension String {
    /// What the system says about `errno`.
    init(systemError error: Int32) {
        var text = [CChar](repeating: 0, count: 256)
        let isKnown = unsafe strerror_r(error, &text, text.count) == 0
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        self = isKnown ? String(decoding: bytes, as: UTF8.self) : "error \(error)"
    }
}
