/// Collects the views in the braces of a ``List``, a ``Stack`` and other views that contain views.
@resultBuilder
public enum ViewBuilder {
    /// One view.
    public static func buildExpression(_ view: some View) -> [ViewNode] { [view.node] }
    /// Several views.
    public static func buildExpression(_ views: [some View]) -> [ViewNode] { views.map(\.node) }
    /// The views of all lines.
    public static func buildBlock(_ parts: [ViewNode]...) -> [ViewNode] { parts.flatMap(\.self) }
    /// The views after `if`, or none.
    public static func buildOptional(_ part: [ViewNode]?) -> [ViewNode] { part ?? [] }
    /// The views after `if`.
    public static func buildEither(first: [ViewNode]) -> [ViewNode] { first }
    /// The views after `else`.
    public static func buildEither(second: [ViewNode]) -> [ViewNode] { second }
    /// The views of each round of a loop.
    public static func buildArray(_ parts: [[ViewNode]]) -> [ViewNode] { parts.flatMap(\.self) }
    /// The views after `if #available`.
    public static func buildLimitedAvailability(_ part: [ViewNode]) -> [ViewNode] { part }
}
