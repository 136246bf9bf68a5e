import CDeclarations

/// The order in which arguments are made: each after those that it is computed from.
struct ArgumentOrder {
    private enum Progress {
        case begun, done
    }

    private let arguments: [ArgumentPlan]
    private var progress: [Int: Progress] = [:]
    private var result: [Int] = []

    init(_ arguments: [ArgumentPlan]) { self.arguments = arguments }

    /// - Throws: what cannot be computed before the call.
    consuming func order() throws(CObstacle) -> [Int] {
        let sorted = arguments.indices.sorted { (rank($0), $0) < (rank($1), $1) }
        for index in sorted { try add(index) }
        return result
    }

    /// What comes from the payload first; what is computed, perhaps with handles, after all of it.
    private func rank(_ index: Int) -> Int {
        switch arguments[index].mode {
        case .plain, .value, .text, .handle, .consumed, .constantDouble, .new, .context, .field: 0
        case .buffer(let buffer): buffer.direction == .out ? 4 : 1
        case .length, .callback: 2
        case .constant: 3
        }
    }

    /// The argument that is filled in from the data of this one.
    private func tiedLength(_ index: Int) -> Int? {
        guard case .buffer(let buffer) = arguments[index].mode, buffer.direction != .out,
            let length = buffer.size.bareArgument, case .length = arguments[length].mode
        else { return nil }
        return length
    }

    private mutating func add(_ index: Int) throws(CObstacle) {
        switch progress[index] {
        case .done: return
        case .begun: throw CObstacle("\(arguments[index].name): it depends on itself")
        case nil: progress[index] = .begun
        }
        for other in try sources(of: index) { try add(other) }
        progress[index] = .done
        result.append(index)
    }

    /// The arguments that have to be there before this one.
    private func sources(of index: Int) throws(CObstacle) -> [Int] {
        let formula: BoundFormula
        // Input data is written before its formula is evaluated, which only says how much there must be.
        var isData = false
        switch arguments[index].mode {
        case .length(_, let buffers): return buffers
        case .buffer where tiedLength(index) != nil: return []
        case .buffer(let buffer):
            formula = buffer.size
            isData = buffer.direction != .out
        case .constant(_, let found): formula = found
        default: return []
        }
        let name = arguments[index].name
        guard !formula.needsResult else {
            throw CObstacle("\(name): it is needed before the call, so \"return\" and \"room\" are not known")
        }
        let sources = formula.arguments.sorted()
        for source in sources where !arguments[source].isKnownBefore {
            throw CObstacle("\(name): \"\(arguments[source].name)\" is not known before the call")
        }
        return isData ? [] : sources
    }
}

extension ArgumentPlan {
    /// Whether formulas that are computed before the call can read it.
    fileprivate var isKnownBefore: Bool {
        switch mode {
        case .callback, .field, .value(.handle, _), .value(.callback, _): false
        default: true
        }
    }
}
