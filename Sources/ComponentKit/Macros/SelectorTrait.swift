/// What hosts may know about a method, in `@Selector(.quick)`.
public struct SelectorTrait: Sendable, Hashable {
    /// It never blocks, so asynchronous callers may run it in place.
    public static let quick = SelectorTrait()
}
