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
    /// The data of which there has to be as much as is computed.
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
