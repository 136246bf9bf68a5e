import CDeclarations

/// The annotations that fit a pointer, the most probable first.
struct PointerProposals {
    /// Complete annotations.
    let annotations: [String]
    /// The choice in words, with placeholders for names that are not known.
    let words: String

    /// The annotations for a pointer whose length may be in another parameter.
    init(_ pointee: CType, length: String, isCalled: Bool) {
        let (bytes, items, text) = ("bytes[\(length)]", "items[\(length)]", "string[\(length)]")
        let isWritten = isCalled && !pointee.isConst
        let found: [String] =
            switch pointee.kind {
            case .void: isWritten ? ["out \(bytes)", bytes, "inout \(bytes)"] : [bytes]
            case .scalar(.char):
                isWritten ? ["out \(text)", text, bytes, "inout \(text)", "string"] : [text, bytes, "string"]
            case _ where pointee.isByteSized:
                isWritten ? ["out \(bytes)", bytes, "inout \(bytes)", text] : [bytes, text]
            case .record:
                isWritten ? ["inout \(items)", "out \(items)", items, "inout", "out", "handle"] : [items, "in"]
            case .pointer: isWritten ? [items, "out", "items[null]"] : [items, "items[null]"]
            // One row is hardly ever meant.
            case .array: isWritten ? ["out \(items)", "inout \(items)", items] : [items]
            default: isWritten ? ["out \(items)", "inout \(items)", items, "out"] : [items, "in"]
            }
        annotations = found
        words = AnnotationQuestion.choice(found)
    }

    /// The annotations for a pointer without a length beside it.
    init(_ parameter: CParameter, mayBeContext: Bool, isCalled: Bool) {
        guard let pointee = parameter.type.pointee, isCalled else {
            let isArray = parameter.type.pointee?.pointee != nil
            annotations = mayBeContext ? ["context"] : isArray ? ["items[null]"] : []
            words = AnnotationQuestion.choice(["context", "in", "out", "bytes[…]", "items[…]", "handle"])
            return
        }
        switch pointee.kind {
        case .void:
            annotations = mayBeContext ? ["context", "null"] : []
            words = AnnotationQuestion.choice(["bytes[length]", "string", "object", "handle(name)", "context", "null"])
        case .scalar(.char):
            annotations = ["string", "null"]
            words = AnnotationQuestion.choice(["out string[size]", "string", "null"])
        case .record where pointee.isConst:
            annotations = ["handle", "in"]
            words = AnnotationQuestion.choice(["in", "handle"])
        case .record:
            annotations = ["inout", "out", "in", "handle", "new"]
            words = AnnotationQuestion.choice(["in", "out", "inout", "handle", "new"])
        case .pointer(let target) where !pointee.isConst && PointerProposals.isError(parameter.name):
            let name = parameter.name ?? ""
            let isText = if case .scalar(.char) = target.kind { true } else { false }
            let error = "error unless null" + (isText ? " message \(name)" : " message \(name)->message")
            annotations = isText ? [error, "out string", "null"] : ["error unless null", "out", "null"]
            words = AnnotationQuestion.choice([error, "out", "items[null]", "null"])
        case .pointer(let target) where !pointee.isConst && target.isByteSized:
            annotations = ["out string", "items[null]", "null"]
            words = AnnotationQuestion.choice([
                "out string", "out bytes[length]", "items[count]", "items[null]", "null",
            ])
        case .pointer:
            annotations = pointee.isConst ? ["items[null]"] : ["out", "items[null]", "null"]
            words = AnnotationQuestion.choice(["out", "items[count]", "items[null]", "null"])
        case _ where pointee.isByteSized:
            // One byte is hardly ever meant.
            let bytes = parameter.arrayLength.map { "bytes[\($0)]" }
            annotations = pointee.isConst ? [bytes ?? "string"] : [bytes.map { "out \($0)" }, bytes].compactMap(\.self)
            words = AnnotationQuestion.choice(
                (pointee.isConst ? [] : ["out bytes[length]"]) + ["bytes[length]", "string", "in"]
                    + (pointee.isConst ? [] : ["out", "inout"]))
        case .array:
            // How many rows there are is not known: a pointer to one and to many have the same type.
            let rows = parameter.arrayLength.map { "items[\($0)]" }
            annotations = [pointee.isConst ? nil : rows.map { "out \($0)" }, rows].compactMap(\.self)
            words = AnnotationQuestion.choice(
                (pointee.isConst ? [] : ["out items[count]", "inout items[count]"]) + ["items[count]", "null"])
        default:
            let items = parameter.arrayLength.map { "items[\($0)]" }
            // One value is less than an array with a declared length has.
            let single: [String] =
                parameter.arrayLength ?? 1 > 1 ? [] : pointee.isConst ? ["in"] : ["out", "inout", "in"]
            let all =
                pointee.isConst
                ? [items] + single : [items.map { "out \($0)" }] + single + [items.map { "inout \($0)" }]
            annotations = all.compactMap(\.self)
            words = AnnotationQuestion.choice(
                pointee.isConst ? ["in", "items[count]", "null"] : ["in", "out", "inout", "items[count]", "null"])
        }
    }

    /// Whether a parameter is named like an error that the function leaves there.
    private static func isError(_ name: String?) -> Bool {
        let parts = name.map { LengthName.parts(of: $0) } ?? []
        return parts.contains { ["error", "err", "errmsg", "exception"].contains($0) }
    }

    /// Returns what the last proposal beside a length means.
    static func settling(_ plain: PlainPointer) -> String? {
        switch plain {
        case .text: "a NUL ends the text"
        case .value: "it is one value"
        default: nil
        }
    }
}
