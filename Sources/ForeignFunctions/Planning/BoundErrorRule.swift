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
