extension CType: CustomStringConvertible {
    /// As C writes it: "const char *", "int (*)(void *, int)".
    package var description: String { declaration(of: "") }

    /// As C declares something of this type: "int (*compare)(const void *, const void *)". `typedef` names stand
    /// as they were written.
    package func declaration(of name: String) -> String {
        var inner = name
        var type = self
        while type.alias == nil {
            switch type.kind {
            case .pointer(let pointee):
                let words = type.qualifiers.words
                // A word needs a space before a name that follows, as in "*const name".
                let space = words.isEmpty || inner.isEmpty || inner.hasPrefix("[") || inner.hasPrefix(")") ? "" : " "
                inner = "*" + words + space + inner
                if pointee.alias == nil && pointee.isDerivedBehindName { inner = "(" + inner + ")" }
                type = pointee
            case .array(let element, let length):
                inner += "[" + (length.map(String.init) ?? "") + "]"
                type = element
            case .function(let function):
                inner += "(" + function.parameterList + ")"
                type = function.result
            case .void, .scalar, .enumeration, .record, .unsupported:
                return type.baseName + (inner.isEmpty || inner.hasPrefix("[") ? "" : " ") + inner
            }
        }
        return type.baseName + (inner.isEmpty || inner.hasPrefix("[") ? "" : " ") + inner
    }

    /// Whether it stands behind the name in a declaration, and so binds closer than a star.
    private var isDerivedBehindName: Bool {
        switch kind {
        case .array, .function: true
        default: false
        }
    }

    /// The words before the name.
    private var baseName: String {
        let name =
            switch kind {
            case _ where alias != nil: alias ?? ""
            case .void: "void"
            case .scalar(let scalar): scalar.rawValue
            case .enumeration(let enumeration): enumeration.name
            case .record(let record): record.name
            case .unsupported(let unsupported): unsupported.name
            case .pointer, .array, .function: ""
            }
        return qualifiers.isEmpty ? name : qualifiers.words + " " + name
    }
}

extension CFunctionType: CustomStringConvertible {
    /// As C writes it: "int (int, ...)".
    package var description: String { CType(.function(self)).description }

    /// What stands between the parentheses.
    var parameterList: String {
        guard hasPrototype else { return "" }
        let list = parameters.map { $0.type.declaration(of: $0.name ?? "") } + (isVariadic ? ["..."] : [])
        return list.isEmpty ? "void" : list.joined(separator: ", ")
    }
}

extension CQualifiers {
    /// "const volatile".
    var words: String {
        let all: [(CQualifiers, String)] = [
            (.const, "const"), (.volatile, "volatile"), (.restrict, "restrict"), (.nonnull, "_Nonnull"),
            (.nullable, "_Nullable"),
        ]
        return all.filter { contains($0.0) }.map(\.1).joined(separator: " ")
    }
}

extension CFunction: CustomStringConvertible {
    /// As C declares it, without attributes.
    package var description: String { CType(.function(type)).declaration(of: name) }
}
