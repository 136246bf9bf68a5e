import ComponentKit

/// Returns the checksum of a text, computed by zlib through the class of `zlib.hslink.json`.
func checksum(of text: String, _ link: Link) throws -> UInt32 {
    try link.callAndWait("Zlib", "crc32", ["crc": 0, "buf": .string(text)]).value(as: UInt32.self)
}

/// Returns numbers sorted by the C library, which calls back to compare.
func sorted(_ numbers: [Int32], _ link: Link) throws -> [Int32] {
    let compare = link.typedClosure { (left: Int32, right: Int32) in
        left < right ? -1 : left > right ? 1 : 0
    }
    let answer = try link.callAndWait("LibC", "qsort", ["base": numbers.payload, "compar": compare])
    return try answer.value("base", as: [Int32].self)
}
