/// How an argument is made from a payload, and what comes back.
final class ArgumentPlan: Sendable {
    indirect enum Mode: Sendable {
        /// A number, or a struct by value.
        case plain(ValueForm)
        /// The length of these arguments' data.
        case length(IntegerForm, of: [Int])
        /// Not for callers.
        case constant(IntegerForm, BoundFormula)
        /// The same with a point.
        case constantDouble(ValueForm, Double)
        /// Text that ends with a NUL.
        case text
        /// A pointer to one value.
        case value(ValueForm, Annotation.Direction)
        case buffer(BufferPlan)
        case handle(HandleKind)
        /// A handle that the function releases.
        case consumed(HandleKind)
        /// A struct that is made for the call, and lives as long as the handle that comes back.
        case new(HandleKind, size: Int, alignment: Int)
        case callback(CallbackPlan, CallbackLife)
        /// Some pointer that is not null.
        case context
        /// A field that only comes out.
        case field(ValueForm)
    }

    let name: String
    let key: ConstantText
    let mode: Mode
    let isNullable: Bool
    /// Where in the frame the argument lies.
    let offset: Int
    /// How formulas read it; nil where they can't.
    let word: WordPlace?
    /// The argument whose handle a handle that comes back keeps.
    let keeps: Int?
    /// What gives text back that came out.
    let release: String?
    /// For what is no argument of its own, but a field of a struct behind a handle.
    let field: FieldPlace?

    init(
        name: String, key: ConstantText, mode: Mode, isNullable: Bool, offset: Int, word: WordPlace?, keeps: Int?,
        release: String?, field: FieldPlace?
    ) {
        self.name = name
        self.key = key
        self.mode = mode
        self.isNullable = isNullable
        self.offset = offset
        self.word = word
        self.keeps = keeps
        self.release = release
        self.field = field
    }

    /// Where a field lies that callers give as if it were an argument.
    struct FieldPlace: Sendable {
        /// The argument with the handle.
        let parent: Int
        let offset: Int
        let size: Int
        /// Whether its value is taken out after the call.
        let comesOut: Bool
    }

    /// A number that formulas use.
    struct WordPlace: Sendable {
        let form: IntegerForm
        /// Whether the argument is a pointer to it.
        let isIndirect: Bool
    }

    /// The functions that take back what comes out of it.
    var releases: [String] {
        let ofHandle: String? =
            switch mode {
            case .value(.handle(let kind), .out), .new(let kind, _, _): kind.release
            default: nil
            }
        return [release, ofHandle].compactMap(\.self)
    }

    /// Whether something of it is in the result.
    var isOutput: Bool {
        switch mode {
        case .value(_, let direction): direction != .in
        case .buffer(let buffer): buffer.direction != .in
        case .new, .field: true
        default: field?.comesOut ?? false
        }
    }

    /// Whether callers give it.
    var isInput: Bool {
        switch mode {
        case .constant, .constantDouble, .context, .new, .field: false
        case .length: false
        case .value(_, let direction): direction != .out
        case .buffer(let buffer): buffer.direction != .out
        default: true
        }
    }

    /// As manifests call it.
    var words: String {
        switch mode {
        case .plain(let form), .value(let form, _), .constantDouble(let form, _), .field(let form): form.words
        case .length(let form, _), .constant(let form, _): form.words
        case .text: "String"
        case .buffer(let buffer): buffer.words
        case .handle(let kind), .consumed(let kind), .new(let kind, _, _): kind.words
        case .callback: "LinkClosure"
        case .context: "Payload?"
        }
    }
}

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
    /// Whether the memory of the payload itself may be lent, since C does not write to it.
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
