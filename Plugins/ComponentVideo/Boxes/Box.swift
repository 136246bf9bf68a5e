import NXKit

/// A box, QuickTime's atom: a length, a type, and a body of values or further boxes (ISO/IEC 14496-12, section 4.2).
struct Box {
    let type: FourCC
    /// Where its header begins in the file.
    let start: UInt64
    /// Where its body begins.
    let body: UInt64
    /// Where it ends: never behind the end of what it lies in.
    let end: UInt64
    /// Whether its own length would reach further than `end`.
    let isCutOff: Bool

    /// Bytes in its body.
    var size: UInt64 { end - body }
}

/// A place in a row of boxes.
struct BoxCursor {
    /// Where the next box begins.
    var position: UInt64
    /// Where the row ends.
    let end: UInt64
    /// Whether the row is the file itself, whose last box may be cut off, and not the body of a box.
    let isFile: Bool

    /// The boxes in the body of `box`, from `offset` bytes behind its beginning on.
    init(in box: Box, from offset: UInt64 = 0) {
        position = box.body + min(offset, box.size)
        end = box.end
        isFile = false
    }

    /// The boxes of a file of `size` bytes.
    init(fileOf size: UInt64) {
        position = 0
        end = size
        isFile = true
    }
}
