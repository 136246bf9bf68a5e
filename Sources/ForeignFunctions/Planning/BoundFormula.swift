/// A formula whose names have been found.
indirect enum BoundFormula: Sendable {
    case number(Int64)
    /// A text; its address is the number.
    case text(ConstantText)
    case argument(Int)
    case result
    /// How much there was in the buffer whose use is computed.
    case room
    case sum(BoundFormula, BoundFormula)
    case difference(BoundFormula, BoundFormula)
    case product(BoundFormula, BoundFormula)
    case call(AuxiliaryFunction, [BoundFormula])

    /// The one argument that it names, where it is nothing else.
    var bareArgument: Int? {
        if case .argument(let index) = self { index } else { nil }
    }

    /// The arguments that it names.
    var arguments: Set<Int> {
        switch self {
        case .number, .text, .result, .room: []
        case .argument(let index): [index]
        case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
            left.arguments.union(right.arguments)
        case .call(_, let arguments): arguments.reduce(into: []) { $0.formUnion($1.arguments) }
        }
    }

    /// Whether it can be computed only when the function has returned.
    var needsResult: Bool {
        switch self {
        case .number, .text, .argument: false
        case .result, .room: true
        case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
            left.needsResult || right.needsResult
        case .call(_, let arguments): arguments.contains(where: \.needsResult)
        }
    }

    /// Whether it is the result and nothing else.
    var isResult: Bool {
        if case .result = self { true } else { false }
    }

    /// - Parameters:
    ///   - word: the number that something stands for.
    ///   - call: calls a function of the library.
    /// - Returns: nil where the numbers get out of 64 bits, or a function is missing.
    func evaluate(
        _ word: (FormulaWord) -> Int64, _ call: (AuxiliaryFunction, [Int64]) -> Int64?
    ) -> Int64? {
        switch self {
        case .room: return word(.room)
        case .number(let number): return number
        case .text(let text): return unsafe Int64(Int(bitPattern: text.bytes))
        case .argument(let index): return word(.argument(index))
        case .result: return word(.result)
        case .sum(let left, let right): return combine(left, right, word, call) { $0.addingReportingOverflow($1) }
        case .difference(let left, let right):
            return combine(left, right, word, call) { $0.subtractingReportingOverflow($1) }
        case .product(let left, let right):
            return combine(left, right, word, call) { $0.multipliedReportingOverflow(by: $1) }
        case .call(let function, let arguments):
            var words: [Int64] = []
            for argument in arguments {
                guard let number = argument.evaluate(word, call) else { return nil }
                words.append(number)
            }
            return call(function, words)
        }
    }

    private func combine(
        _ left: BoundFormula, _ right: BoundFormula, _ word: (FormulaWord) -> Int64,
        _ call: (AuxiliaryFunction, [Int64]) -> Int64?, _ operation: (Int64, Int64) -> (Int64, Bool)
    ) -> Int64? {
        guard let left = left.evaluate(word, call), let right = right.evaluate(word, call) else { return nil }
        let (result, overflow) = operation(left, right)
        return overflow ? nil : result
    }
}
