/// A function that formulas call: of integers and pointers only.
struct AuxiliaryFunction: Sendable {
    let symbol: String
    let interface: CallInterface
    /// How the result is widened.
    let result: IntegerForm
    let arguments: [IntegerForm]
}
