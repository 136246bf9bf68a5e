/// How long a callback may be called.
enum CallbackLife: Sendable, Hashable {
    /// Until the function returns.
    case call
    /// Until the handle of this argument is released.
    case argument(Int)
    /// Until the handle that is returned is released.
    case result
    case process
}
