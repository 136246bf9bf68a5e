/// `@Route("studio://video/:id")`: marks a function for `@LinkClass` and `@LinkService`, which check the routes and
/// generate the code. This macro only reports misplaced uses.
enum RouteMacro: FunctionMark {
    static let attribute = "Route"
    static let needsClass = false
}

/// `@Intercepts(tags: ["signed-in"])`: marks a function for `@LinkClass`, which checks it and generates the code. This
/// macro only reports misplaced uses.
enum InterceptsMacro: FunctionMark {
    static let attribute = "Intercepts"
    static let needsClass = true
}
