/// What becomes of a function's result.
enum ResultPlan: Sendable {
    case none
    case ignored
    case plain(ValueForm)
    /// Text that is copied, and given back.
    case text(release: String?)
    /// What a pointer leads to.
    case value(ValueForm, release: String?)
    case bytes(BoundFormula, release: String?)
    case items(ValueForm, BoundFormula, release: String?)
    /// The arguments are those whose handles it keeps, or is a part of.
    case handle(HandleKind, keeps: Int?, partOf: Int?)

    /// The function that takes its memory back.
    var release: String? {
        switch self {
        case .none, .ignored, .plain: nil
        case .text(let release), .value(_, let release), .bytes(_, let release), .items(_, _, let release): release
        case .handle(let kind, _, let whole): whole == nil ? kind.release : nil
        }
    }

    /// As manifests call it; nil where there is none.
    var words: String? {
        switch self {
        case .none, .ignored: nil
        case .plain(let form), .value(let form, _): form.words
        case .text: "String"
        case .bytes: "Data"
        case .items(let form, _, _): "[\(form.words)]"
        case .handle(let kind, _, _): kind.words
        }
    }
}
