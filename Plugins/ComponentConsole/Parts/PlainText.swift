import ComponentKit
import PageKit

// Everything that the console shows comes from elsewhere: names, reasons and log lines may be of any length, and have
// characters that views refuse.

extension String {
    /// The text in one line, without control characters, and shortened.
    ///
    /// - Parameter longest: how many Unicode scalars are kept.
    func oneLine(_ longest: Int = 200) -> String { plain(longest) { _ in false } }

    /// The text with its line breaks and tabs, without other control characters, and shortened.
    ///
    /// - Parameter longest: how many Unicode scalars are kept.
    func printable(_ longest: Int) -> String { plain(longest) { $0 == "\n" || $0 == "\t" } }

    private func plain(_ longest: Int, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        // Most texts are short, and of visible ASCII.
        if utf8.count <= longest, utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var text = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            guard count < longest else { return text + "…" }
            text.unicodeScalars.append(scalar.breaksLines && !isKept(scalar) ? " " : scalar)
        }
        return text
    }

    /// The text of a comment in a source, without the marks around code: "Returns `nil`." becomes "Returns nil."
    var withoutBackticks: String { filter { $0 != "`" } }

    /// A name in a program as words: "methodFailed" becomes "method failed", and "wrongABI" "wrong ABI".
    var asWords: String {
        let scalars = Array(unicodeScalars)
        func isCapital(_ index: Int) -> Bool { scalars.indices.contains(index) && ("A"..."Z").contains(scalars[index]) }
        var text = ""
        for (index, scalar) in scalars.enumerated() {
            let isStart = isCapital(index) && index > 0 && ("a"..."z").contains(scalars[index - 1])
            if isStart { text += " " }
            text += isStart && !isCapital(index + 1) ? String(scalar).lowercased() : String(scalar)
        }
        return text
    }

    /// The text, or a dash if there is none.
    var orDash: String { isEmpty ? "–" : self }

    /// The text as a sentence: with a capital letter and a full stop.
    var sentence: String {
        guard let first else { return "" }
        return first.uppercased() + dropFirst() + (last.map { ".!?…".contains($0) } == true ? "" : ".")
    }
}

extension Unicode.Scalar {
    fileprivate var breaksLines: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension Sequence<String> {
    /// The texts after each other, in one line.
    ///
    /// - Parameter most: how many are named.
    func listed(most: Int = 20) -> String {
        let texts = map { $0.oneLine() }
        let more = texts.count - most
        return texts.prefix(most).joined(separator: ", ").oneLine(400) + (more > 0 ? " and \(more) more" : "")
    }
}

extension Int {
    /// The number, or a dash for none.
    var orDash: String { self == 0 ? "–" : "\(self)" }

    /// The number with a noun: "1 file", "2 files", "2 classes", "2 directories".
    func counted(_ noun: String) -> String {
        if self == 1 { return "1 \(noun)" }
        if noun.hasSuffix("y") { return "\(self) \(noun.dropLast())ies" }
        return "\(self) \(noun)\(noun.hasSuffix("s") ? "es" : "s")"
    }
}

extension Double {
    /// A duration in seconds, with three digits: "5 ms", "1.25 s".
    var durationText: String {
        guard isFinite, self >= 0, self < 1e15 else { return "–" }
        guard self > 0 else { return "0 s" }
        let units: [(Double, String)] = [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]
        let (unit, name) = units.first { self >= $0.0 * 0.9995 } ?? (1e-9, "ns")
        let value = self / unit
        let factor: Double = value >= 99.95 ? 1 : value >= 9.995 ? 10 : 100
        return "\(((value * factor).rounded() / factor).writtenText) \(name)"
    }
}
