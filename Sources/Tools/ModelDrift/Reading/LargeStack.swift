import Glibc

/// Runs `body` on several threads with large stacks, and returns the results in the order of the numbers.
///
/// The parser is recursive. It limits the depth of brackets, but not that of a row of prefixes such as `try try try`,
/// which the size of a file limits instead; see ``SourceFile/maximumSize``.
///
/// - Parameters:
///   - count: The number of threads.
///   - body: Receives the number of the thread, from 0.
func withLargeStacks<Result: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Result) -> [Result] {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    // The system provides memory only for the part that is used.
    unsafe pthread_attr_setstacksize(&attributes, 1 << 30)
    let works = (0..<count).map { number in Work { body(number) } }
    var threads: [pthread_t?] = []
    for work in works {
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, &attributes,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<AnyWork>.fromOpaque(context).takeUnretainedValue().run()
                }
                return nil
            }, Unmanaged.passUnretained(work).toOpaque())
        threads.append(status == 0 ? thread : nil)
    }
    for case let thread? in threads { pthread_join(thread, nil) }
    return works.map { work in
        // Without a thread, for example in a sandbox with little address space, the stack at hand is better than nothing.
        if work.result == nil { work.run() }
        // Either the thread has ended or this thread has run the work; both store the result.
        guard let result = work.result else { fatalError("the work has no result") }
        return result
    }
}

private class AnyWork {
    func run() {}
}

private final class Work<Result>: AnyWork {
    private let body: () -> Result
    /// Written by one thread, and read after it has ended.
    private(set) var result: Result?

    init(_ body: @escaping () -> Result) { self.body = body }

    override func run() { result = body() }
}
