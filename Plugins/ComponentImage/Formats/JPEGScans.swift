import ComponentKit

/// The scans of a JPEG, in each of which a decoder goes over the whole picture.
enum JPEGScans {
    /// Encoders write about ten, or one for each component.
    private static let most = 100

    /// Checks that a decoder is done in time: a small file can have thousands of scans that are nearly empty.
    ///
    /// - Parameter bytes: A file.
    /// - Throws: `LinkError` with the code `payloadMismatch` if there are too many.
    static func check(_ bytes: [UInt8]) throws(LinkError) {
        var position = 2
        var count = 0
        // In the data of a scan, FF is followed by 00 or a restart marker. Whatever comes after the end of the picture,
        // such as a film, is not looked at.
        while let mark = bytes[min(position, bytes.count)...].firstIndex(of: 0xFF), mark + 1 < bytes.count {
            let marker = bytes[mark + 1]
            switch marker {
            case 0xFF: position = mark + 1
            case 0x00, 0x01, 0xD0...0xD8: position = mark + 2
            case 0xD9: return
            default:
                count += marker == 0xDA ? 1 : 0
                guard count <= most else {
                    throw LinkError(.payloadMismatch, message: "path: the picture has more than \(most) scans")
                }
                guard mark + 3 < bytes.count else { return }
                position = mark + 2 + max(Int(bytes[mark + 2]) << 8 | Int(bytes[mark + 3]), 2)
            }
        }
    }
}
