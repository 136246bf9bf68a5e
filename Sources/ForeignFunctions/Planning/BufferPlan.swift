/// Memory that a pointer leads to, of a length that is computed at each call.
struct BufferPlan: Sendable {
    enum Content: Sendable {
        case bytes
        /// Ends with a NUL.
        case text
        case items(ValueForm)
    }

    let content: Content
    let direction: Annotation.Direction
    /// Elements that there are.
    let size: BoundFormula
    /// Elements that count afterwards; nil: all, or what the size says afterwards.
    let used: BoundFormula?
    /// Whether the memory of the payload itself may be lent: nobody writes to it.
    let isConst: Bool
    /// Whether null may stand among the items.
    let hasNullableItems: Bool

    /// Bytes of an element.
    var stride: Int {
        if case .items(let form) = content { form.size } else { 1 }
    }

    /// As manifests call it.
    var words: String {
        switch content {
        case .bytes: "Data"
        case .text: "String"
        case .items(let form): "[\(form.words)]"
        }
    }
}
