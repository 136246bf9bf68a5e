/// A function pointer that calls a closure from a payload: the arguments for the closure, and the result for C.
final class CallbackPlan: Sendable {
    struct Parameter: Sendable {
        /// How the closure receives the parameter.
        indirect enum Mode: Sendable {
            case plain(ValueForm)
            /// One value behind a pointer.
            case value(ValueForm, Annotation.Direction)
            case buffer(BufferPlan)
            /// The value that was passed to C for the pointer.
            case object
            /// The closure does not receive it.
            case left
            /// A pointer to the length of the data that the closure returns.
            case length(IntegerForm)
        }

        let name: String
        let mode: Mode
        /// How formulas read the parameter.
        let word: IntegerForm?
    }

    let interface: CallInterface
    let parameters: [Parameter]
    /// Nil for `void`.
    let result: ValueForm?
    /// Whether the closure may return null for a pointer.
    let isNullable: Bool
    /// The text or bytes that the closure returns, if their length is in a parameter.
    let data: ReturnedData?
    /// Who frees text or bytes that the closure returns.
    let owner: DataOwner
    /// The functions of the library that can be passed in the place of a closure: the symbols by their names.
    let functions: [String: String]
    /// A constant that C receives instead of the closure's result.
    let constantResult: Int128?
    /// The value that C receives if the closure fails.
    let fallback: Int128

    /// Data that a closure returns, with its length behind a pointer.
    struct ReturnedData: Sendable {
        let isText: Bool
        /// The parameter with the pointer to the length.
        let length: Int
    }

    /// Who frees text or bytes that a closure returns to C.
    enum DataOwner: Sendable {
        /// C does, with `free`.
        case caller
        /// It lives as long as the function pointer.
        case closure
    }

    init(
        interface: CallInterface, parameters: [Parameter], result: ValueForm?, isNullable: Bool,
        data: ReturnedData?, owner: DataOwner, functions: [String: String], constantResult: Int128?, fallback: Int128
    ) {
        self.isNullable = isNullable
        self.data = data
        self.owner = owner
        self.functions = functions
        self.interface = interface
        self.parameters = parameters
        self.result = result
        self.constantResult = constantResult
        self.fallback = fallback
    }

    /// Whether the closure returns outputs in addition to a result.
    var hasOutputs: Bool {
        parameters.contains { parameter in
            switch parameter.mode {
            case .plain, .left, .object, .length: false
            case .value(_, let direction): direction != .in
            case .buffer(let buffer): buffer.direction != .in
            }
        }
    }
}

/// How long C may use what it was passed: a callback, or memory.
enum Lifetime: Sendable, Hashable {
    /// Until the function returns.
    case call
    /// Until the handle in this argument is released.
    case argument(Int)
    /// Until the handle that comes out of this argument is released.
    case output(Int)
    /// Until the returned handle is released.
    case result
    case process
}
