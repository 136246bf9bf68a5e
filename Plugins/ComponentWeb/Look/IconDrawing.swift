/// An icon that another component has drawn, as markup of our own.
///
/// It becomes part of pages, so it is not passed on as it is: a few kinds of shapes are read from its SVG, with numbers
/// and a few words as their attributes, and are written anew. Anything else is refused, such as scripts, links, styles,
/// text, comments and entities.
struct IconDrawing: Sendable {
    /// What has been written.
    let out: HTMLWriter

    /// The most bytes that its SVG may have.
    static let mostBytes = 8192
    /// The most shapes that it may have.
    static let mostShapes = 64

    /// Reads an icon.
    ///
    /// - Parameter svg: one element `svg` with `viewBox`, and shapes without content in it.
    init?(svg: some Collection<UInt8>) {
        guard svg.count <= IconDrawing.mostBytes else { return nil }
        var reader = SVGReader(svg)
        var out = HTMLWriter(capacity: 2 * svg.count)
        reader.skipSpace()
        guard reader.take("<svg") else { return nil }
        out.markup(#"<svg class="icon" width="20" height="20" aria-hidden="true""#)
        guard IconDrawing.copyAttributes(of: "svg", from: &reader, to: &out), reader.take(">") else { return nil }
        out.markup(">")
        var shapes = 0
        while true {
            reader.skipSpace()
            if reader.take("</svg>") { break }
            guard shapes < IconDrawing.mostShapes, let shape = IconDrawing.shapes.first(where: { reader.takeTag($0) })
            else { return nil }
            shapes += 1
            out.markup("<")
            out.markup(shape)
            guard IconDrawing.copyAttributes(of: shape, from: &reader, to: &out), reader.take("/>") else { return nil }
            out.markup("/>")
        }
        reader.skipSpace()
        guard reader.isAtEnd, shapes > 0 else { return nil }
        out.markup("</svg>")
        self.out = out
    }

    private static let shapes: [StaticString] = ["path", "circle", "ellipse", "rect", "line", "polyline", "polygon"]

    /// What an attribute may have as its value.
    private enum Value {
        case numbers
        /// The data of a path: letters of commands, and numbers.
        case path
        case words([String])
        /// It is read and not written.
        case left([String]?)
    }

    private static let paint = Value.words(["none", "currentColor"])

    private static let attributes: [(name: StaticString, value: Value)] = [
        ("d", .path), ("points", .numbers), ("x", .numbers), ("y", .numbers), ("width", .numbers),
        ("height", .numbers), ("x1", .numbers), ("y1", .numbers), ("x2", .numbers), ("y2", .numbers),
        ("cx", .numbers), ("cy", .numbers), ("r", .numbers), ("rx", .numbers), ("ry", .numbers),
        ("fill", paint), ("stroke", paint), ("stroke-width", .numbers), ("stroke-dasharray", .numbers),
        ("stroke-linecap", .words(["butt", "round", "square"])),
        ("stroke-linejoin", .words(["miter", "round", "bevel"])), ("fill-rule", .words(["nonzero", "evenodd"])),
        ("opacity", .numbers),
    ]

    /// The attributes of the element around the shapes. The style sheet gives it its size.
    private static let outerAttributes: [(name: StaticString, value: Value)] =
        [
            ("viewBox", .numbers), ("xmlns", .left(["http://www.w3.org/2000/svg"])), ("width", .left(nil)),
            ("height", .left(nil)),
        ] + attributes.filter { "\($0.name)".hasPrefix("stroke") || "\($0.name)".hasPrefix("fill") }

    /// Reads the attributes of an element, and writes them.
    ///
    /// - Returns: False if one is not allowed, is there twice, or has a value that is not allowed.
    private static func copyAttributes(
        of element: StaticString, from reader: inout SVGReader, to out: inout HTMLWriter
    ) -> Bool {
        let isOuter = "\(element)" == "svg"
        let allowed = isOuter ? outerAttributes : attributes
        var seen: Set<Int> = []
        while reader.skipSpace(), let (name, text) = reader.attribute() {
            guard let index = allowed.firstIndex(where: { "\($0.name)".utf8.elementsEqual(name) }),
                seen.insert(index).inserted
            else { return false }
            let attribute = allowed[index]
            switch attribute.value {
            case .numbers: guard text.utf8.allSatisfy(\.isInNumbers) else { return false }
            case .path: guard text.utf8.allSatisfy({ $0.isInNumbers || $0.isPathCommand }) else { return false }
            case .words(let words): guard words.contains(text) else { return false }
            case .left(let texts):
                if let texts, !texts.contains(text) { return false }
                continue
            }
            out.attribute(attribute.name, text)
        }
        // The box is the first of the attributes around the shapes.
        return !isOuter || seen.contains(0)
    }
}

/// Reads the tags of an SVG, without anything that it need not have.
private struct SVGReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Passes over white space.
    ///
    /// - Returns: Whether there was any.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let count = rest.count
        rest = rest.drop(while: \.isSpace)
        return rest.count < count
    }

    /// Passes over a text if it comes next.
    ///
    /// - Returns: Whether it did.
    mutating func take(_ text: StaticString) -> Bool { take(Array("\(text)".utf8)) }

    /// Passes over the beginning of a tag if it comes next, and white space follows.
    mutating func takeTag(_ name: StaticString) -> Bool {
        let tag = Array("<\(name)".utf8)
        guard rest.starts(with: tag), rest.dropFirst(tag.count).first?.isSpace == true else { return false }
        return take(tag)
    }

    private mutating func take(_ bytes: [UInt8]) -> Bool {
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    /// Reads an attribute, as in `x="1"`; nil if none comes next.
    mutating func attribute() -> (name: ArraySlice<UInt8>, value: String)? {
        let name = rest.prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        let start = rest.dropFirst(name.count)
        guard !name.isEmpty, start.starts(with: #"=""#.utf8) else { return nil }
        let value = start.dropFirst(2).prefix { $0 != UInt8(ascii: "\"") }
        guard start.count > value.count + 2 else { return nil }
        rest = start.dropFirst(value.count + 3)
        return (name, String(decoding: value, as: UTF8.self))
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }

    fileprivate var isInNumbers: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || "+-.,eE \n".utf8.contains(self)
    }

    fileprivate var isPathCommand: Bool { "MmLlHhVvCcSsQqTtAaZz".utf8.contains(self) }
}
