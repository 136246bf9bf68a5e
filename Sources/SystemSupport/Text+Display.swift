extension Unicode.Scalar {
    /// Whether a terminal, a log or a reader could take it for something else than a character of the text: what moves the
    /// cursor, ends a line, turns the direction of writing or shows nothing, and what Unicode had not defined when the
    /// standard library was made.
    fileprivate var needsEscape: Bool {
        if value >= 0x20 && value < 0x7F { return false }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        // The joiner only holds the parts of a character together, as in emoji of families.
        case .format: value != 0x200D
        default: false
        }
    }

    /// As in a literal of Swift.
    fileprivate var escape: String {
        switch self {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        default: "\\u{\(String(value, radix: 16))}"
        }
    }
}

extension StringProtocol {
    /// The text on one line, for messages and tables: it comes from files and programs of others and ends up on terminals
    /// and in logs. Characters that could do more there than be read are written as in Swift.
    package var escaped: String {
        guard unicodeScalars.contains(where: \.needsEscape) else { return String(self) }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.needsEscape { text += scalar.escape } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    /// The text as ``escaped``, in quotation marks; its own and backslashes get a backslash in front.
    ///
    /// - Parameter limit: how many Unicode scalars of the text are shown; an ellipsis stands for the rest.
    package func quoted(limit: Int = 60) -> String {
        var text = "\""
        for (count, scalar) in unicodeScalars.enumerated() {
            guard count < limit else {
                text += "…"
                break
            }
            if scalar.needsEscape {
                text += scalar.escape
            } else {
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// The text as one word of a shell, quoted where it needs to be.
    package var quotedForShell: String {
        let isPlain = utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_./:=@,+-%".utf8.contains(byte)
        }
        // zsh reads a word that begins with an equals sign as the name of a command.
        if isPlain && !isEmpty && !hasPrefix("=") { return String(self) }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
