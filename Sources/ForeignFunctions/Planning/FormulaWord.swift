/// What numbers of formulas are taken from.
enum FormulaWord {
    case argument(Int)
    case result
    case room
}
