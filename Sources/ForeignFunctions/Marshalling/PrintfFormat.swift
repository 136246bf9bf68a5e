import ComponentKit

/// What a format of `printf` takes: a wrong one would let C read what is not there.
struct PrintfFormat {
    /// Of the arguments, in their order, as "..." passes them.
    let forms: [ValueForm]

    /// - Throws: a conversion that is unknown, writes (`%n`), or names its argument (`%1$d`).
    init(_ format: String) throws(PayloadError) {
        var forms: [ValueForm] = []
        var rest = Substring(format).utf8
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[rest.index(after: percent)...]
            rest = rest.drop { "-+ #0'".utf8.contains($0) }
            PrintfFormat.takeNumber(&rest, &forms)
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
                PrintfFormat.takeNumber(&rest, &forms)
            }
            let lengthStart = rest
            rest = rest.drop { "hljztL".utf8.contains($0) }
            let length = String(lengthStart.prefix(lengthStart.count - rest.count)) ?? ""
            guard let conversion = rest.first else {
                throw PayloadError(expected: "a conversion behind \"%\"", found: "the end")
            }
            rest = rest.dropFirst()
            if conversion == UInt8(ascii: "%") { continue }
            forms.append(try PrintfFormat.form(conversion, length))
        }
        self.forms = forms
    }

    private static func takeNumber(_ rest: inout Substring.UTF8View, _ forms: inout [ValueForm]) {
        if rest.first == UInt8(ascii: "*") {
            rest = rest.dropFirst()
            forms.append(.integer(IntegerForm(size: 4, isSigned: true)))
        } else {
            rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }

    private static func form(_ conversion: UInt8, _ length: String) throws(PayloadError) -> ValueForm {
        let character = Character(UnicodeScalar(conversion))
        switch (character, length) {
        case ("d", ""), ("i", ""), ("d", "h"), ("i", "h"), ("d", "hh"), ("i", "hh"), ("c", ""):
            return .integer(IntegerForm(size: 4, isSigned: true))
        case ("d", "l"), ("i", "l"), ("d", "ll"), ("i", "ll"), ("d", "j"), ("i", "j"), ("d", "z"), ("i", "z"),
            ("d", "t"), ("i", "t"):
            return .integer(IntegerForm(size: 8, isSigned: true))
        case ("u", ""), ("o", ""), ("x", ""), ("X", ""), ("u", "h"), ("o", "h"), ("x", "h"), ("X", "h"), ("u", "hh"),
            ("o", "hh"), ("x", "hh"), ("X", "hh"):
            return .integer(IntegerForm(size: 4, isSigned: false))
        case ("u", "l"), ("o", "l"), ("x", "l"), ("X", "l"), ("u", "ll"), ("o", "ll"), ("x", "ll"), ("X", "ll"),
            ("u", "j"), ("o", "j"), ("x", "j"), ("X", "j"), ("u", "z"), ("o", "z"), ("x", "z"), ("X", "z"),
            ("u", "t"), ("o", "t"), ("x", "t"), ("X", "t"):
            return .integer(IntegerForm(size: 8, isSigned: false))
        case ("e", ""), ("E", ""), ("f", ""), ("F", ""), ("g", ""), ("G", ""), ("a", ""), ("A", ""), ("e", "l"),
            ("f", "l"), ("g", "l"), ("a", "l"):
            return .double
        case ("e", "L"), ("E", "L"), ("f", "L"), ("F", "L"), ("g", "L"), ("G", "L"), ("a", "L"), ("A", "L"):
            return .longDouble
        case ("s", ""): return .text
        default:
            throw PayloadError(
                expected: "conversions as in %d, %lu, %g and %s", found: "%\(length)\(character)".excerpt)
        }
    }
}
