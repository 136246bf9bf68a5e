/// A C function that is ready to be called with payloads: everything that does not depend on a particular call.
final class FunctionPlan: Sendable {
    let selector: String
    let symbol: String
    let interface: CallInterface
    /// The variadic arguments; nil if the function is not variadic.
    let variadic: VariadicPlan?
    let signature: InterfaceSignature
    let arguments: [ArgumentPlan]
    /// The order in which arguments are built: each after those that it depends on.
    let order: [Int]
    /// The index in `order` of the first computed argument. These come last, because formulas may call functions of the
    /// library with handles.
    let computedStart: Int
    /// The inputs whose data must have at least the computed length.
    let checkedBuffers: [Int]
    /// The arguments whose handles are kept by handles that come out.
    let keepers: [Int]
    /// The arguments that must be values of enums.
    let enumerations: [(index: Int, check: EnumerationCheck)]
    let result: ResultPlan
    let errorRule: BoundErrorRule?
    let isQuick: Bool
    let wantsErrno: Bool
    /// The size of all arguments in bytes.
    let frameSize: Int
    /// Whether the function has outputs in addition to its result.
    let hasOutputs: Bool
    /// Whether fields of structs are passed as if they were arguments.
    let hasFields: Bool
    /// The arguments in whose place the function leaves what has gone wrong.
    let failures: [(index: Int, rule: BoundErrorRule)]
    /// The functions that release results and outputs.
    let releases: Set<String>
    /// Whether the function ends the parts of a handle.
    let endsParts: Bool
    /// Whether the function is named like one that releases handles, rather than one that takes them over.
    let isNamedLikeRelease: Bool
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
            if case .endedItems = buffer.content { return false }
            guard let length = buffer.size.bareArgument, case .length = arguments[length].mode else { return true }
            return false
        }
        var keepers = arguments.compactMap(\.keeps)
        if case .handle(_, let keeper?, _) = result { keepers.append(keeper) }
        self.keepers = keepers
        enumerations = arguments.indices.compactMap { index in arguments[index].enumeration.map { (index, $0) } }
        self.result = result
        self.errorRule = errorRule
        self.isQuick = isQuick
        self.wantsErrno = wantsErrno
        self.frameSize = frameSize
        self.resultForm = resultForm
        releases = Set(arguments.flatMap(\.releases) + [result.release].compactMap(\.self))
        endsParts = arguments.contains(where: \.endsParts)
        isNamedLikeRelease = FunctionName.releaseRank(symbol) != nil
        hasFields = arguments.contains { $0.field != nil }
        failures = arguments.indices.compactMap { index in
            if case .failure(let rule) = arguments[index].mode { (index, rule) } else { nil }
        }
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

/// The arguments for "..." of a variadic function.
enum VariadicPlan: Sendable {
    /// A fixed list of types.
    case fixed([ValueForm], [InterfaceType])
    /// Any number of arguments of these types, and a null pointer behind them.
    case ended([ValueForm], [InterfaceType])
    /// The types that the format string in this argument requires.
    case printf(Int)
}

/// How a function's result is converted.
enum ResultPlan: Sendable {
    case none
    case ignored
    case plain(ValueForm)
    /// Text that is copied and then released.
    case text(release: String?)
    /// Text of this many bytes.
    case measuredText(BoundFormula, release: String?)
    /// What was passed for the pointer before.
    case object
    /// The target of a pointer.
    case value(ValueForm, release: String?)
    case bytes(BoundFormula, release: String?)
    case items(ValueForm, BoundFormula, release: String?)
    /// Pointers with a null pointer behind the last.
    case endedItems(ValueForm, release: String?)
    /// A handle, with the argument whose handle it keeps alive and the argument whose handle it is a part of.
    case handle(HandleKind, keeps: Int?, partOf: Int?)

    /// The form of the value or of the items.
    var form: ValueForm? {
        switch self {
        case .plain(let form), .value(let form, _), .items(let form, _, _), .endedItems(let form, _): form
        default: nil
        }
    }

    /// The length of what the function returns; nil if there is none.
    var length: BoundFormula? {
        switch self {
        case .measuredText(let length, _), .bytes(let length, _), .items(_, let length, _): length
        default: nil
        }
    }

    /// The arguments whose handles the result keeps or is a part of.
    var keepers: [Int] {
        if case .handle(_, let keeps, let partOf) = self { [keeps, partOf].compactMap(\.self) } else { [] }
    }

    /// Whether C returns a pointer.
    var isPointer: Bool {
        switch self {
        case .none, .ignored, .plain: false
        default: true
        }
    }

    /// The function that releases the result.
    var release: String? {
        if case .handle(let kind, _, partOf: nil) = self { kind.release } else { dataRelease }
    }

    /// The function that frees the data behind a pointer that the function has returned or left.
    var dataRelease: String? {
        switch self {
        case .none, .ignored, .plain, .object, .handle: nil
        case .text(let release), .measuredText(_, let release), .value(_, let release), .bytes(_, let release),
            .items(_, _, let release), .endedItems(_, let release):
            release
        }
    }

    /// The name of the type in manifests; nil if there is no result.
    var words: String? {
        switch self {
        case .none, .ignored: nil
        case .plain(let form), .value(let form, _): form.words
        case .object: "Payload"
        case .text, .measuredText: "String"
        case .bytes: "Data"
        case .items(let form, _, _), .endedItems(let form, _): "[\(form.words)]"
        case .handle(let kind, _, _): kind.words
        }
    }
}
