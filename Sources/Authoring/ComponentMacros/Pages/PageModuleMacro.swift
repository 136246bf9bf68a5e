/// `@PageModule`: marks a function for `@LinkClass`, which checks it and generates the code. This macro only reports
/// misplaced uses.
enum PageModuleMacro: FunctionMark {
    static let attribute = "PageModule"
    static let needsClass = true
}
