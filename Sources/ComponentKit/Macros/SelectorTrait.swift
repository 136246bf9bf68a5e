/// What hosts may know about a method, in `@Selector(.quick)`.
public struct SelectorTrait: Sendable, Hashable {
    /// It never blocks and takes microseconds, so that every caller runs it in place, also one that awaits it or has a
    /// deadline.
    public static let quick = SelectorTrait()
}
