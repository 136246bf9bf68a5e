// What values contain, however deep.
extension ValueForm {
    /// Returns whether this form, or one inside it, meets a condition.
    func contains(where condition: (ValueForm) -> Bool) -> Bool {
        if condition(self) { return true }
        return switch self {
        case .array(let element, _, _): element.contains(where: condition)
        case .record(let form): form.fields.contains { $0.form.contains(where: condition) }
        case .pointed(let form): form.element.contains(where: condition)
        case .tagged(let form): form.members.values.contains { $0.form.contains(where: condition) }
        default: false
        }
    }

    /// Whether values contain pointers.
    var holdsPointers: Bool {
        contains { form in
            switch form {
            case .text, .measured, .pointed, .handle, .callback: true
            default: false
            }
        }
    }

    var holdsHandles: Bool { contains { if case .handle = $0 { true } else { false } } }

    var holdsCallbacks: Bool { contains { if case .callback = $0 { true } else { false } } }

    /// Whether C may call callbacks in it after the call.
    var holdsKeptCallbacks: Bool {
        contains { if case .callback(_, let life) = $0 { life != .call } else { false } }
    }
}
