import Glibc

/// Runs `body` on a thread with a large stack, and returns its result.
///
/// The parser is recursive. It limits the depth of brackets, but not that of a row of prefixes such as `try try try`,
/// which the size of a file limits instead; see ``SourceFile/maximumSize``.
func withLargeStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    // The system provides memory only for the part that is used.
    unsafe pthread_attr_setstacksize(&attributes, 1 << 30)
    let box = Box(body)
    let reference = unsafe Unmanaged.passUnretained(box)
    var thread = pthread_t()
    let status = unsafe pthread_create(
        &thread, &attributes,
        { context in
            if let context = unsafe context {
                unsafe Unmanaged<BoxBase>.fromOpaque(context).takeUnretainedValue().run()
            }
            return nil
        }, reference.toOpaque())
    // Without a thread, for example in a sandbox with little address space, the stack at hand is better than nothing.
    guard status == 0 else { return body() }
    pthread_join(thread, nil)
    // The thread has ended, so it has stored the result.
    guard let result = box.result else { return body() }
    return result
}

private class BoxBase {
    func run() {}
}

private final class Box<Result>: BoxBase {
    private let body: () -> Result
    private(set) var result: Result?

    init(_ body: @escaping () -> Result) { self.body = body }

    override func run() { result = body() }
}
