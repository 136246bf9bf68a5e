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
        self.result = result
        self.errorRule = errorRule
        self.isQuick = isQuick
        self.wantsErrno = wantsErrno
        self.frameSize = frameSize
        self.resultForm = resultForm
        hasFields = arguments.contains { $0.field != nil }
        hasOutputs = wantsErrno || arguments.contains(where: \.isOutput)
    }
}

/// The types of a function, for calls of a variadic one.
struct InterfaceSignature: Sendable {
    let result: InterfaceType
    let arguments: [InterfaceType]
}

/// What "..." takes.
enum VariadicPlan: Sendable {
    /// These, one for each.
    case fixed([ValueForm], [InterfaceType])
    /// What the format in this argument asks for.
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
    case value(ValueForm)
    case bytes(BoundFormula, release: String?)
    case items(ValueForm, BoundFormula)
    /// The arguments are those whose handles it keeps, or is a part of.
    case handle(HandleKind, keeps: Int?, partOf: Int?)

    /// As manifests call it; nil where there is none.
    var words: String? {
        switch self {
        case .none, .ignored: nil
        case .plain(let form), .value(let form): form.words
        case .text: "String"
        case .bytes: "Data"
        case .items(let form, _): "[\(form.words)]"
        case .handle(let kind, _, _): kind.words
        }
    }
}

/// When a result means that the call failed.
struct BoundErrorRule: Sendable {
    let isUnless: Bool
    let tests: [(comparison: ErrorRule.Comparison, value: Int64)]
    let message: BoundFormula?
    /// How the result is read.
    let form: IntegerForm

    func isFailure(_ result: Int64) -> Bool {
        let isMet = tests.contains { test in
            switch test.comparison {
            case .less: result < test.value
            case .lessOrEqual: result <= test.value
            case .greater: result > test.value
            case .greaterOrEqual: result >= test.value
            case .equal: result == test.value
            }
        }
        return isMet != isUnless
    }
}
