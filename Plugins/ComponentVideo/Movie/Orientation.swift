import NXKit

/// The direction in which the matrix of a header turns a picture, in steps of a quarter turn, possibly mirrored (ISO/IEC
/// 14496-12, section 8.3.2). How far it scales and moves the picture is left out.
///
/// A point (x, y) of the picture, with y down, is shown at (a * x + c * y, b * x + d * y). Each letter is -1, 0 or 1.
struct Orientation: Hashable, Sendable {
    private let a, b, c, d: Int32

    /// Reads the nine numbers of a matrix: a, b, u, c, d, v, x, y, w. The numbers u and v are not 0 if the picture is
    /// distorted.
    ///
    /// - Returns: Nil if the matrix turns the picture by anything else than quarters, distorts it, or leaves nothing of it.
    static func read(_ reader: inout ByteReader) throws(FileError) -> Orientation? {
        var numbers: [Int32] = []
        for _ in 0..<9 { numbers.append(try reader.int32()) }
        let (a, b, c, d) = (numbers[0].signum(), numbers[1].signum(), numbers[3].signum(), numbers[4].signum())
        let isQuarter = a == 0 && d == 0 && b != 0 && c != 0 || b == 0 && c == 0 && a != 0 && d != 0
        guard isQuarter, numbers[2] == 0, numbers[5] == 0, numbers[8] > 0 else { return nil }
        return Orientation(a: a, b: b, c: c, d: d)
    }

    /// Returns the orientation of a picture that is turned by this one first, and then by another one.
    func followed(by other: Orientation) -> Orientation {
        Orientation(
            a: a * other.a + b * other.c, b: a * other.b + b * other.d, c: c * other.a + d * other.c,
            d: c * other.b + d * other.d)
    }

    /// The clockwise turn in degrees: 0, 90, 180 or 270. Nil for a mirrored picture, which no turn makes upright.
    var rotation: Int? {
        switch (a, b, c, d) {
        case (1, 0, 0, 1): 0
        case (0, 1, -1, 0): 90
        case (-1, 0, 0, -1): 180
        case (0, -1, 1, 0): 270
        default: nil
        }
    }

    /// Whether the width of the picture is the height of what is shown.
    var swapsSides: Bool { a == 0 }
}
