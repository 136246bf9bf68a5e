import Glibc

/// A thread that can be waited for.
struct BenchThread {
    private let thread: pthread_t

    struct Failed: Error {}

    init(_ body: @escaping @Sendable () -> Void) throws {
        final class Start: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let start = unsafe Unmanaged.passRetained(Start(body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, start.toOpaque())
        guard status == 0 else { throw Failed() }
        self.thread = thread
    }

    func join() { pthread_join(thread, nil) }
}
