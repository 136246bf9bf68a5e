extension Unicode.Scalar {
    /// Whether the character could mislead a terminal, a log or a reader: it moves the cursor, ends a line, changes the
    /// writing direction or is invisible, or Unicode had not defined it when the standard library was built.
    fileprivate var needsEscape: Bool {
        if value >= 0x20 && value < 0x7F { return false }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        // The zero-width joiner only joins the parts of one character, as in family emoji.
        case .format: value != 0x200D
        default: false
        }
    }

    /// Whether this is a mark, embedding, override or isolate of the bidirectional algorithm, or one of the deprecated
    /// format characters U+206A to U+206F. None of them is above U+FFFF.
    fileprivate var reorders: Bool { properties.isBidiControl || (0x206A...0x206F).contains(value) }

    /// The escape sequence of the character in a Swift literal.
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
    /// The text on one line, for messages and tables. It may come from third-party files and programs and end up on
    /// terminals and in logs, so characters that could mislead there are written as Swift escapes.
    package var escaped: String {
        guard unicodeScalars.contains(where: \.needsEscape) else { return String(self) }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.needsEscape { text += scalar.escape } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    /// Returns the text of several lines with each line ``escaped``.
    ///
    /// - Parameter words: Foreign texts that may occur in it between apostrophes. There, their line breaks are escaped
    ///   too, so that no word adds a line of its own.
    package func escapedByLine(words: [String] = []) -> String {
        guard unicodeScalars.contains(where: \.needsEscape) else { return String(self) }
        var bytes = Array(utf8)
        for word in words where word.hasASCII("\n") {
            bytes.replace(Array("'\(word)'".utf8), with: Array("'\(word.escaped)'".utf8))
        }
        return String(decoding: bytes, as: UTF8.self).exactParts(between: "\n", omittingEmpty: false)
            .map(\.escaped).joined(separator: "\n")
    }

    /// Returns the ``escaped`` text in quotation marks; quotation marks and backslashes in it are escaped with a
    /// backslash.
    ///
    /// - Parameter limit: The maximum number of Unicode scalars to show; an ellipsis replaces the rest.
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

    /// The text as a single shell word, quoted if necessary.
    package var quotedForShell: String {
        let isPlain = utf8.allSatisfy { $0.isLetterOrDigitInASCII || "_./:=@,+-%".utf8.contains($0) }
        // zsh expands a word that begins with an equals sign to the path of a command.
        if isPlain && !isEmpty && !hasExactPrefix("=") { return String(self) }
        // By bytes, as the shell does: a quote before a combining mark is another character.
        return "'" + exactParts(between: "'", omittingEmpty: false).joined(separator: #"'\''"#) + "'"
    }
}

extension String {
    /// Does what the general form does. Most texts are names, of which nothing needs a look at the tables of Unicode.
    package func quoted(limit: Int = 60) -> String {
        guard utf8.count <= limit, utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) else {
            return Substring(self).quoted(limit: limit)
        }
        return "\"" + self + "\""
    }

    /// The JSON text, with escapes for invisible characters that change the display order in a terminal and could make
    /// a value look like a different one. They occur only inside JSON strings, where the escape is equivalent.
    package var escapedInJSON: String {
        guard utf8.contains(where: { $0 >= 0x80 }), unicodeScalars.contains(where: \.reorders) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.reorders {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension UInt8 {
    /// Whether this is a letter or a digit of ASCII.
    package var isLetterOrDigitInASCII: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
