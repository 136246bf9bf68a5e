/// What becomes of a function's result.
enum ResultPlan: Sendable {
    case none
    case ignored
    case plain(ValueForm)
    /// Text that is copied, and given back.
    case text(release: String?)
    /// What a pointer leads to.
    case value(ValueForm)
    case bytes(BoundFormula, release: String?)
    case items(ValueForm, BoundFormula)
    /// The arguments are those whose handles it keeps, or is a part of.
    case handle(HandleKind, keeps: Int?, partOf: Int?)

    /// As manifests call it; nil where there is none.
    var words: String? {
        switch self {
        case .none, .ignored: nil
        case .plain(let form), .value(let form): form.words
        case .text: "String"
        case .bytes: "Data"
        case .items(let form, _): "[\(form.words)]"
        case .handle(let kind, _, _): kind.words
        }
    }
}
