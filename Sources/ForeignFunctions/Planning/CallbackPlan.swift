/// A function pointer that calls a closure of a payload: what the closure is given, and what C gets back.
final class CallbackPlan: Sendable {
    struct Parameter: Sendable {
        /// What the closure is given.
        indirect enum Mode: Sendable {
            case plain(ValueForm)
            /// One value behind a pointer.
            case value(ValueForm, Annotation.Direction)
            case buffer(BufferPlan)
            /// Nothing.
            case left
        }

        let name: String
        let mode: Mode
        /// How formulas read it.
        let word: IntegerForm?
    }

    let interface: CallInterface
    let parameters: [Parameter]
    /// Nil for `void`.
    let result: ValueForm?
    /// What C always gets, in the place of the closure's result.
    let constantResult: Int64?
    /// What C gets when the closure fails.
    let fallback: Int64

    init(
        interface: CallInterface, parameters: [Parameter], result: ValueForm?, constantResult: Int64?, fallback: Int64
    ) {
        self.interface = interface
        self.parameters = parameters
        self.result = result
        self.constantResult = constantResult
        self.fallback = fallback
    }

    /// Whether the closure gives back more than a result.
    var hasOutputs: Bool {
        parameters.contains { parameter in
            switch parameter.mode {
            case .plain, .left: false
            case .value(_, let direction): direction != .in
            case .buffer(let buffer): buffer.direction != .in
            }
        }
    }
}

/// How long a callback may be called.
enum CallbackLife: Sendable, Hashable {
    /// Until the function returns.
    case call
    /// Until the handle of this argument is released.
    case argument(Int)
    /// Until the handle that is returned is released.
    case result
    case process
}
