import NXKit

/// Turns the pictures of a film by quarters: the matrices in the headers of its tracks say how they are shown (ISO/IEC
/// 14496-12, section 8.3.2). Nothing else of the file changes, so fragments and encrypted films can be turned, too.
struct FilmRotation {
    /// The bytes that are replaced, in the order of the file.
    struct Patch: Hashable, Sendable {
        let offset: UInt64
        let bytes: [UInt8]
    }

    let boxes: BoxFile
    private(set) var patches: [Patch] = []

    /// Finds out what is to be replaced.
    ///
    /// - Parameters:
    ///   - boxes: The film.
    ///   - quarters: How many quarter turns the pictures are turned clockwise, 0 to 3.
    /// - Throws: `unsupported` if it is not a film, has no pictures, or shows them distorted; `truncated` if it is cut
    ///   off; `malformed`; `limitExceeded`.
    init(_ boxes: BoxFile, quarters: Int) throws(FileError) {
        self.boxes = boxes
        let layout = try FileLayout.read(boxes)
        guard layout.isComplete else { throw boxes.file.error(.truncated, "it is cut off; copy the file again") }
        var movie: PictureMatrix?
        var tracks: [(box: Box, header: Box)] = []
        var cursor = BoxCursor(in: layout.movie)
        while let child = try boxes.next(&cursor) {
            switch child.type {
            case "mvhd" where movie == nil: movie = try PictureMatrix.read(child, in: boxes, before: 4 + 16)
            case "trak": tracks.append((child, try boxes.children(["tkhd"], of: child)[0]))
            default: break
            }
        }
        guard let movie else {
            throw boxes.file.error(.malformed, "a box 'mvhd' was expected in the box 'moov', but there is none")
        }
        // The movie turns a picture after its track does. In a mirror, a clockwise turn goes the other way.
        let turns = movie.isMirrored ? (4 - quarters) % 4 : quarters
        for (track, header) in tracks {
            let media = try boxes.children(["mdia"], of: track)[0]
            var handler = try boxes.reader(try boxes.children(["hdlr"], of: media)[0], from: 8, count: 4)
            guard try handler.fourCC() == "vide" else { continue }
            let matrix = try PictureMatrix.read(header, in: boxes, before: 8 + 16)
            guard let turned = matrix.turned(quarters: turns) else {
                throw boxes.file.error(.malformed, "the matrix of its picture has numbers that are too large")
            }
            patches.append(Patch(offset: matrix.offset, bytes: turned))
        }
        guard !patches.isEmpty else { throw boxes.file.error(.unsupported, "it has no pictures to rotate") }
        patches.sort { $0.offset < $1.offset }
    }

    /// Writes the film. As ``FilmPlan/write(in:control:names:)``.
    func write(in folder: String, control: EditControl, names: (Int) -> String) throws -> String {
        let file = try NewFilm(in: folder, size: boxes.file.size, control: control)
        var done: UInt64 = 0
        for patch in patches {
            try file.copy(boxes.file, from: done, count: patch.offset - done)
            try file.write(patch.bytes)
            done = patch.offset + UInt64(patch.bytes.count)
        }
        try file.copy(boxes.file, from: done, count: boxes.file.size - done)
        return try file.finish(names)
    }
}

/// The matrix of a header, and for a track the size of its picture.
private struct PictureMatrix {
    /// The offset of the matrix in the file.
    let offset: UInt64
    /// a, b, u, c, d, v, x, y, w: 16.16 fixed point, and u, v, w 2.30.
    let numbers: [Int32]
    /// The size that the picture is scaled to before it is turned, 16.16 fixed point; 0 if the header ends before it.
    let width, height: UInt32

    /// - Parameter fields: The number of bytes before the matrix, without the version, the flags and the three times.
    static func read(_ box: Box, in boxes: BoxFile, before fields: Int) throws(FileError) -> PictureMatrix {
        var reader = try boxes.reader(box, upTo: 104)
        let header = try FullBoxHeader(timesOf: box.type, &reader)
        try reader.skip(3 * header.timeSize + fields)
        let (offset, start) = (reader.offset, reader)
        var numbers: [Int32] = []
        for _ in 0..<9 { numbers.append(try reader.int32()) }
        var copy = start
        guard try Orientation.read(&copy) != nil else {
            let reason = "its picture is distorted, or turned by other angles than quarters"
            throw boxes.file.error(.unsupported, "\(reason), so it cannot be rotated")
        }
        let hasSize = box.type == "tkhd" && reader.remaining >= 8
        return PictureMatrix(
            offset: offset, numbers: numbers, width: hasSize ? try reader.uint32() : 0,
            height: hasSize ? try reader.uint32() : 0)
    }

    var isMirrored: Bool {
        (Int64(numbers[0]).signum() * Int64(numbers[4]).signum())
            < (Int64(numbers[1]).signum() * Int64(numbers[3]).signum())
    }

    /// Returns the bytes of the matrix that turns the picture clockwise after this one, and moves it so that its left and
    /// upper edges are at 0; nil if a number is too large.
    func turned(quarters: Int) -> [UInt8]? {
        var (a, b, c, d) = (Int64(numbers[0]), Int64(numbers[1]), Int64(numbers[3]), Int64(numbers[4]))
        // (x, y) is shown at (a * x + c * y, b * x + d * y), with y down; a clockwise quarter turns that to (-y, x).
        for _ in 0..<quarters { (a, b, c, d) = (-b, a, -d, c) }
        // Only one number of each row is not 0. A product has 32 bits behind the point.
        func edge(_ x: Int64, _ y: Int64) -> Int64? {
            let (end, overflow) =
                x != 0
                ? x.multipliedReportingOverflow(by: Int64(width)) : y.multipliedReportingOverflow(by: Int64(height))
            return overflow ? nil : end < 0 ? -(end >> 16) : 0
        }
        guard let x = edge(a, c), let y = edge(b, d) else { return nil }
        let moved = [a, b, Int64(numbers[2]), c, d, Int64(numbers[5]), x, y, Int64(numbers[8])]
        var bytes = BoxWriter()
        for number in moved {
            guard let number = Int32(exactly: number) else { return nil }
            bytes.uint32(UInt32(bitPattern: number))
        }
        return bytes.bytes
    }
}
