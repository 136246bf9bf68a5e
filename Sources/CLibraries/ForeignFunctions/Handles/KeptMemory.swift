/// Memory that C may use after the call that it was made for, such as a text that a handle refers to.
@safe
// Unchecked: nothing reads or changes it here after init.
final class KeptMemory: @unchecked Sendable {
    private let arena: CallArena

    init(_ arena: consuming CallArena) { self.arena = arena }
}
