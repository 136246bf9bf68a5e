/// A function of C, ready to be called from payloads: everything that does not depend on the call.
final class FunctionPlan: Sendable {
    let selector: String
    let symbol: String
    let interface: CallInterface
    /// What "..." takes; nil for a function without.
    let variadic: VariadicPlan?
    let signature: InterfaceSignature
    let arguments: [ArgumentPlan]
    /// The order in which arguments are made: lengths and sizes after what they depend on.
    let order: [Int]
    /// Where in the order those begin that are computed, with functions of the library that may want handles.
    let computedStart: Int
    /// The inputs whose data must be at least as long as computed.
    let checkedBuffers: [Int]
    let result: ResultPlan
    let errorRule: BoundErrorRule?
    let isQuick: Bool
    let wantsErrno: Bool
    /// Bytes of all arguments.
    let frameSize: Int
    /// Whether nothing comes back but the result.
    let hasOutputs: Bool
    /// Whether fields of structs are given as if they were arguments.
    let hasFields: Bool
    /// The functions that take back what comes out.
    let releases: Set<String>
    /// How formulas read the result.
    let resultForm: IntegerForm?

    init(
        selector: String, symbol: String, interface: CallInterface, signature: InterfaceSignature,
        variadic: VariadicPlan?, arguments: [ArgumentPlan], order: [Int], result: ResultPlan,
        errorRule: BoundErrorRule?, isQuick: Bool, wantsErrno: Bool, frameSize: Int, resultForm: IntegerForm?
    ) {
        self.selector = selector
        self.symbol = symbol
        self.interface = interface
        self.signature = signature
        self.variadic = variadic
        self.arguments = arguments
        self.order = order
        computedStart = order.firstIndex { arguments[$0].isComputed } ?? order.count
        checkedBuffers = order.filter { index in
            guard case .buffer(let buffer) = arguments[index].mode, buffer.direction != .out else { return false }
            guard let length = buffer.size.bareArgument, case .length = arguments[length].mode else { return true }
            return false
        }
        self.result = result
        self.errorRule = errorRule
        self.isQuick = isQuick
        self.wantsErrno = wantsErrno
        self.frameSize = frameSize
        self.resultForm = resultForm
        releases = Set(arguments.flatMap(\.releases) + [result.release].compactMap(\.self))
        hasFields = arguments.contains { $0.field != nil }
        hasOutputs = wantsErrno || arguments.contains(where: \.isOutput)
    }
}

extension ArgumentPlan {
    fileprivate var isComputed: Bool {
        switch mode {
        case .constant: true
        case .buffer(let buffer): buffer.direction == .out
        default: false
        }
    }
}

/// What "..." takes.
enum VariadicPlan: Sendable {
    /// These, one for each.
    case fixed([ValueForm], [InterfaceType])
    /// The types that the format in this argument takes.
    case printf(Int)
}

/// What becomes of a function's result.
enum ResultPlan: Sendable {
    case none
    case ignored
    case plain(ValueForm)
    /// Text that is copied, and given back.
    case text(release: String?)
    /// What a pointer leads to.
    case value(ValueForm, release: String?)
    case bytes(BoundFormula, release: String?)
    case items(ValueForm, BoundFormula, release: String?)
    /// The arguments are those whose handles it keeps, or is a part of.
    case handle(HandleKind, keeps: Int?, partOf: Int?)

    /// The function that takes its memory back.
    var release: String? {
        switch self {
        case .none, .ignored, .plain: nil
        case .text(let release), .value(_, let release), .bytes(_, let release), .items(_, _, let release): release
        case .handle(let kind, _, let whole): whole == nil ? kind.release : nil
        }
    }

    /// As manifests call it; nil where there is none.
    var words: String? {
        switch self {
        case .none, .ignored: nil
        case .plain(let form), .value(let form, _): form.words
        case .text: "String"
        case .bytes: "Data"
        case .items(let form, _, _): "[\(form.words)]"
        case .handle(let kind, _, _): kind.words
        }
    }
}
