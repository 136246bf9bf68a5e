import CDeclarations

/// Determines the order in which arguments are built: each after those that it is computed from.
struct ArgumentOrder {
    private enum Progress {
        case begun, done
    }

    private let arguments: [ArgumentPlan]
    private var progress: [Int: Progress] = [:]
    private var result: [Int] = []

    init(_ arguments: [ArgumentPlan]) { self.arguments = arguments }

    /// - Throws: `CObstacle` with the reason if an argument cannot be computed before the call.
    consuming func order() throws(CObstacle) -> [Int] {
        let sorted = arguments.indices.sorted { (rank($0), $0) < (rank($1), $1) }
        for index in sorted { try add(index) }
        return result
    }

    /// Returns the preferred position of an argument: those from the payload come first, computed ones last, because
    /// formulas may need handles.
    private func rank(_ index: Int) -> Int {
        switch arguments[index].mode {
        case .plain, .value, .text, .handle, .consumed, .constantDouble, .new, .context, .field, .left, .failure,
            .function,
            .object:
            0
        case .buffer(let buffer): buffer.direction == .out ? 4 : 1
        case .length, .callback: 2
        case .constant: 3
        }
    }

    /// Returns the argument that is set to the length of this one's data.
    private func tiedLength(_ index: Int) -> Int? {
        guard case .buffer(let buffer) = arguments[index].mode, buffer.direction != .out,
            let length = buffer.size.bareArgument, case .length = arguments[length].mode
        else { return nil }
        return length
    }

    private mutating func add(_ index: Int) throws(CObstacle) {
        switch progress[index] {
        case .done: return
        case .begun: throw CObstacle("\(arguments[index].name) depends on itself")
        case nil: progress[index] = .begun
        }
        for other in try sources(of: index) { try add(other) }
        progress[index] = .done
        result.append(index)
    }

    /// Returns the arguments that must be built before this one.
    private func sources(of index: Int) throws(CObstacle) -> [Int] {
        let formula: BoundFormula
        // The formula of an input only checks the minimum length, so it is evaluated after the data has been written.
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
            throw CObstacle(
                "\"return\" and \"room\" are not known before the call, when the value is needed", path: [name])
        }
        let sources = formula.arguments.sorted()
        for source in sources where !arguments[source].isKnownBefore {
            throw CObstacle("\"\(arguments[source].name)\" is not known before the call", path: [name])
        }
        return isData ? [] : sources
    }
}

extension ArgumentPlan {
    /// Whether formulas can read the argument before the call.
    fileprivate var isKnownBefore: Bool {
        switch mode {
        case .callback, .field, .failure, .value(.handle, _), .value(.callback, _): false
        default: true
        }
    }
}
