/// What "..." takes.
enum VariadicPlan: Sendable {
    /// These, one for each.
    case fixed([ValueForm], [InterfaceType])
    /// What the format in this argument asks for.
    case printf(Int)
}
