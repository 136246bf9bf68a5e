import NXKit

/// The positions of the top-level boxes that describe the film. Media data is skipped.
struct FileLayout {
    var brand: FourCC?
    /// `moov`, which may follow the media.
    let movie: Box
    /// The complete `moof` boxes, in the order of the file.
    var fragments: [Box]
    /// The first `sidx`.
    var index: Box?
    /// Whether the last box ends at the end of the file.
    let isComplete: Bool

    /// The types with which a film can begin: usually `ftyp`; QuickTime files older than `ftyp` begin with another
    /// type.
    private static let firstTypes: Set<FourCC> = [
        "ftyp", "styp", "moov", "mdat", "wide", "free", "skip", "pnot", "moof", "sidx", "pdin", "emsg", "prft",
        "uuid", "junk", "PICT", "udta",
    ]

    /// Walks over the top-level boxes.
    ///
    /// - Throws: `unsupported` if the file does not begin like a film; `truncated` if it is empty or ends before or
    ///   within `moov`; `malformed`; `limitExceeded`.
    static func read(_ boxes: BoxFile) throws(FileError) -> FileLayout {
        try requireFilm(boxes)
        var cursor = BoxCursor(fileOf: boxes.file.size)
        var (brand, movie, index): (FourCC?, Box?, Box?)
        var fragments: [Box] = []
        var isComplete = true
        while let box = try boxes.next(&cursor) {
            if box.isCutOff {
                guard box.type != "moov" || movie != nil else {
                    let place = "it ends at byte \(box.end), inside the box 'moov' that begins at byte \(box.start)"
                    throw boxes.file.error(.truncated, "\(place); copy the file again")
                }
                isComplete = false
                break
            }
            switch box.type {
            case "ftyp" where brand == nil:
                var reader = try boxes.reader(box, count: 4)
                brand = try reader.fourCC()
            case "moov" where movie == nil: movie = box
            case "sidx" where index == nil: index = box
            case "moof": fragments.append(box)
            default: break
            }
        }
        // Some programs write a few zero bytes behind the last box. Before the description, they begin the next one.
        if isComplete, cursor.position != cursor.end {
            let rest = try boxes.file.read(at: cursor.position, upTo: 8)
            isComplete = movie != nil && rest.allSatisfy { $0 == 0 }
        }
        guard let movie else {
            throw missingMovie(boxes, brand: brand, isComplete: isComplete, hasFragments: !fragments.isEmpty)
        }
        return FileLayout(brand: brand, movie: movie, fragments: fragments, index: index, isComplete: isComplete)
    }

    private static func requireFilm(_ boxes: BoxFile) throws(FileError) {
        let start = try boxes.file.read(at: 0, upTo: 8)
        guard !start.isEmpty else {
            throw boxes.file.error(.truncated, "it is empty; copy the file again")
        }
        var reader = ByteReader(start, path: boxes.file.path)
        if start.count == 8 {
            try reader.skip(4)
            if firstTypes.contains(try reader.fourCC()) { return }
        }
        let bytes = start.map(\.hexadecimal).joined(separator: " ")
        throw boxes.file.error(.unsupported, "it begins with \(bytes), which is neither MP4 nor QuickTime")
    }

    private static func missingMovie(
        _ boxes: BoxFile, brand: FourCC?, isComplete: Bool, hasFragments: Bool
    ) -> FileError {
        let size = boxes.file.size
        if hasFragments {
            let advice = "put the initialization segment before it"
            return boxes.file.error(.unsupported, "it has fragments but no box 'moov' that describes them; \(advice)")
        }
        guard isComplete else {
            let reason = "it ends at byte \(size), before its box 'moov'; copy the file again"
            return boxes.file.error(.truncated, reason)
        }
        let kind = brand.map { " of brand '\($0)'" } ?? ""
        let reason = "it is a file\(kind) without a box 'moov': either not a film, or cut off between two boxes"
        return boxes.file.error(.unsupported, reason)
    }
}
