import CDeclarations

/// How an argument is built from a payload, and which outputs are read back after the call.
final class ArgumentPlan: Sendable {
    indirect enum Mode: Sendable {
        /// A number, or a struct by value.
        case plain(ValueForm)
        /// The length of the data in these arguments.
        case length(IntegerForm, of: [Int])
        /// A computed integer, which callers do not pass.
        case constant(IntegerForm, BoundFormula)
        /// A constant floating-point number, which callers do not pass.
        case constantDouble(ValueForm, Double)
        /// NUL-terminated text.
        case text
        /// A pointer to one value.
        case value(ValueForm, Annotation.Direction)
        case buffer(BufferPlan)
        case handle(HandleKind)
        /// A handle that the function releases, or takes over without being the one that releases handles of this kind.
        case consumed(HandleKind, isTaken: Bool)
        /// A struct that is allocated for the call and lives as long as the returned handle.
        case new(HandleKind, size: Int, alignment: Int)
        case callback(CallbackPlan, Lifetime)
        /// A function of the library: the symbols by the names that callers pass.
        case function([String: String])
        /// Any value, which C knows as a pointer.
        case object
        /// An arbitrary pointer that is not null.
        case context
        /// A field that is only an output.
        case field(ValueForm)
        /// A pointer to a null pointer, in whose place the function leaves a pointer to this.
        case left(ResultPlan)
        /// A pointer to a null pointer, in whose place the function leaves what has gone wrong.
        case failure(BoundErrorRule)
    }

    let name: String
    let key: ConstantText
    let mode: Mode
    let isNullable: Bool
    /// The offset of the argument in the frame.
    let offset: Int
    /// How formulas read the argument; nil if they cannot.
    let word: WordPlace?
    /// How long C uses the memory of text, bytes, items and values.
    let lifetime: Lifetime
    /// The argument whose handle is kept alive by the output handle.
    let keeps: Int?
    /// Whether the output handle is a part of that handle.
    let isPart: Bool
    /// Whether the parts of the handle end with the call.
    let endsParts: Bool
    /// The function that frees output text.
    let release: String?
    /// Set if this is not an argument in C but a field of a struct behind a handle.
    let field: FieldPlace?
    /// Set if the argument must be a value of an enum.
    let enumeration: EnumerationCheck?

    init(
        name: String, key: ConstantText, mode: Mode, isNullable: Bool, offset: Int, word: WordPlace?,
        lifetime: Lifetime, keeps: Int?, release: String?, field: FieldPlace?,
        enumeration: EnumerationCheck? = nil, isPart: Bool = false, endsParts: Bool = false
    ) {
        self.name = name
        self.key = key
        self.mode = mode
        self.isNullable = isNullable
        self.offset = offset
        self.word = word
        self.lifetime = lifetime
        self.keeps = keeps
        self.isPart = isPart
        self.endsParts = endsParts
        self.release = release
        self.field = field
        self.enumeration = enumeration
    }

    /// The location of a field that callers pass as if it were an argument.
    struct FieldPlace: Sendable {
        /// The argument with the handle.
        let parent: Int
        let offset: Int
        let size: Int
        /// Whether the value is read back after the call.
        let comesOut: Bool
    }

    /// A number that formulas use.
    struct WordPlace: Sendable {
        let form: IntegerForm
        /// Whether the argument is a pointer to the number.
        let isIndirect: Bool
    }

    /// The functions that release the outputs of the argument.
    var releases: [String] {
        let ofHandle: String? =
            switch mode {
            case .value(.handle(let kind), .out), .new(let kind, _, _): kind.release
            default: nil
            }
        return [release, ofHandle].compactMap(\.self)
    }

    /// Whether the argument contributes to the result.
    var isOutput: Bool {
        switch mode {
        case .value(_, let direction): direction != .in
        case .buffer(let buffer): buffer.direction != .in
        case .new, .field, .left: true
        default: field?.comesOut ?? false
        }
    }

    /// Whether callers pass the argument.
    var isInput: Bool {
        switch mode {
        case .constant, .constantDouble, .context, .new, .field, .left, .failure: false
        case .length: false
        case .value(_, let direction): direction != .out
        case .buffer(let buffer): buffer.direction != .out
        default: true
        }
    }

    /// The name of the type in manifests.
    var words: String {
        switch mode {
        case .plain(let form), .value(let form, _), .constantDouble(let form, _), .field(let form): form.words
        case .length(let form, _), .constant(let form, _): form.words
        case .text: "String"
        case .buffer(let buffer): buffer.words
        case .handle(let kind), .consumed(let kind, _), .new(let kind, _, _): kind.words
        case .callback: "LinkClosure"
        case .function: "String"
        case .object: "Payload"
        case .left(let plan): plan.words ?? "Payload?"
        case .context, .failure: "Payload?"
        }
    }

    func with(mode: Mode) -> ArgumentPlan {
        ArgumentPlan(
            name: name, key: key, mode: mode, isNullable: isNullable, offset: offset, word: word, lifetime: lifetime,
            keeps: keeps, release: release, field: field, enumeration: enumeration, isPart: isPart,
            endsParts: endsParts)
    }
}

/// The memory behind a pointer, whose length is computed for each call.
struct BufferPlan: Sendable {
    enum Content: Sendable {
        case bytes
        /// Text that ends with a NUL.
        case text
        /// Text of as many bytes as the size says, with or without NULs.
        case measuredText
        case items(ValueForm)
        /// Pointers with a null pointer behind the last.
        case endedItems(ValueForm)
    }

    let content: Content
    let direction: Annotation.Direction
    /// The capacity in elements.
    let size: BoundFormula
    /// The number of valid elements after the call; nil for all, or for the size as evaluated after the call.
    let used: BoundFormula?
    /// Whether C does not write to the memory, so it may be the payload's own.
    let isConst: Bool
    /// Whether items may be null.
    let hasNullableItems: Bool

    /// The size of an element in bytes.
    var stride: Int {
        switch content {
        case .items(let form), .endedItems(let form): form.size
        case .bytes, .text, .measuredText: 1
        }
    }

    /// The name of the type in manifests.
    var words: String {
        switch content {
        case .bytes: "Data"
        case .text, .measuredText: "String"
        case .items(let form), .endedItems(let form): "[\(form.words)]"
        }
    }
}

// What the planner must know of an argument, and what it refuses.
extension ArgumentPlan.Mode {
    /// The form that is written from a payload; nil if there is none.
    var writtenForm: ValueForm? {
        switch self {
        case .plain(let form): return form
        case .value(let form, let direction): return direction == .out ? nil : form
        case .buffer(let buffer):
            guard buffer.direction != .out else { return nil }
            switch buffer.content {
            case .items(let form), .endedItems(let form): return form
            default: return nil
            }
        default: return nil
        }
    }

    /// Whether handles go in as parts of arrays or structs.
    var holdsHandles: Bool { writtenForm?.holdsHandles ?? false }

    /// Whether C reads memory that is made from a payload.
    var isData: Bool {
        switch self {
        case .text, .object: true
        case .buffer(let buffer): buffer.direction != .out
        case .value(let form, .in): if case .handle = form { false } else { true }
        case .plain(let form): form.holdsHandles
        default: false
        }
    }

    /// Whether there is memory that a function frees when what came out has been read.
    var canBeFreed: Bool {
        switch self {
        case .value(.record, .out), .left, .failure: true
        default: false
        }
    }

    /// Refuses memory to be filled in structs that do not come out.
    func checkRooms() throws(CObstacle) {
        switch self {
        case .value(let form, let direction) where direction != .inout: try form.checkHasNoRooms()
        case .buffer(let buffer) where buffer.direction != .inout:
            if case .items(let form) = buffer.content { try form.checkHasNoRooms() }
        case .plain(let form), .field(let form): try form.checkHasNoRooms()
        default: break
        }
    }

    /// Refuses less memory than the declaration of a parameter, as in `int pair[2]`, says.
    func check(declaredLength length: Int) throws(CObstacle) {
        let count: Int
        switch self {
        case .value(let form, _):
            if case .handle = form { return }
            count = 1
        case .buffer(let buffer):
            guard let size = buffer.size.constant else { return }
            count = Int(clamping: size)
        default: return
        }
        guard count < length else { return }
        throw CObstacle(
            "the declaration has \(length) values: expected \"items[\(length)]\", \"bytes[\(length)]\" or more")
    }

    /// Whether a handle comes out.
    var isHandleOutput: Bool {
        switch self {
        case .value(.handle, .out), .new: true
        default: false
        }
    }

    /// Whether annotations may name parts: parameters of a callback, or fields.
    var hasInside: Bool {
        switch self {
        case .callback, .function, .value(.record, _), .plain(.record), .left(.value(.record, _)),
            .left(.items(.record, _, _)):
            true
        case .buffer(let buffer): if case .items(.record) = buffer.content { true } else { false }
        default: false
        }
    }
}
