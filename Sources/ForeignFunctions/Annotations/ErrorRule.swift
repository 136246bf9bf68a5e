/// When a result means that the call failed.
struct ErrorRule: Sendable {
    enum Comparison: String, Sendable {
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case equal = "="
    }

    struct Test: Sendable {
        let comparison: Comparison
        let value: Formula
    }

    /// Whether the tests say what success is.
    let isUnless: Bool
    let tests: [Test]
    let message: Formula?
}
