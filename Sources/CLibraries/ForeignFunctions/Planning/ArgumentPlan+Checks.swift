import CDeclarations

// What the planner must know of an argument, and what it refuses.
extension ArgumentPlan {
    func with(mode: Mode) -> ArgumentPlan {
        ArgumentPlan(
            name: name, key: key, mode: mode, isNullable: isNullable, offset: offset, word: word, lifetime: lifetime,
            keeps: keeps, release: release, field: field, enumeration: enumeration)
    }
}

extension ArgumentPlan.Mode {
    /// The form that is written from a payload; nil if there is none.
    var writtenForm: ValueForm? {
        switch self {
        case .plain(let form): return form
        case .value(let form, let direction): return direction == .out ? nil : form
        case .buffer(let buffer):
            guard buffer.direction != .out else { return nil }
            switch buffer.content {
            case .items(let form), .endedItems(let form): return form
            default: return nil
            }
        default: return nil
        }
    }

    /// Whether handles go in as parts of arrays or structs.
    var holdsHandles: Bool { writtenForm?.holdsHandles ?? false }

    /// Whether C reads memory that is made from a payload.
    var isData: Bool {
        switch self {
        case .text, .object: true
        case .buffer(let buffer): buffer.direction != .out
        case .value(let form, .in): if case .handle = form { false } else { true }
        default: false
        }
    }

    /// Whether there is memory that a function frees when what came out has been read.
    var canBeFreed: Bool {
        switch self {
        case .value(.record, .out), .left, .failure: true
        default: false
        }
    }

    /// Refuses memory to be filled in structs that do not come out.
    func checkRooms() throws(CObstacle) {
        switch self {
        case .value(let form, let direction) where direction != .inout: try form.checkHasNoRooms()
        case .buffer(let buffer) where buffer.direction != .inout:
            if case .items(let form) = buffer.content { try form.checkHasNoRooms() }
        case .plain(let form), .field(let form): try form.checkHasNoRooms()
        default: break
        }
    }

    /// Refuses less memory than the declaration of a parameter, as in `int pair[2]`, says.
    func check(declaredLength length: Int) throws(CObstacle) {
        let count: Int
        switch self {
        case .value(let form, _):
            if case .handle = form { return }
            count = 1
        case .buffer(let buffer):
            guard let size = buffer.size.constant else { return }
            count = Int(clamping: size)
        default: return
        }
        guard count < length else { return }
        throw CObstacle(
            "the declaration has \(length) values: expected \"items[\(length)]\", \"bytes[\(length)]\" or more")
    }

    /// Whether a handle comes out.
    var isHandleOutput: Bool {
        switch self {
        case .value(.handle, .out), .new: true
        default: false
        }
    }

    /// Whether annotations may name parts: parameters of a callback, or fields.
    var hasInside: Bool {
        switch self {
        case .callback, .value(.record, _), .plain(.record), .left(.value(.record, _)), .left(.items(.record, _, _)):
            true
        case .buffer(let buffer): if case .items(.record) = buffer.content { true } else { false }
        default: false
        }
    }
}
