import CGlibc
import Glibc

/// Starts a detached thread.
///
/// - Parameters:
///   - name: The name that `ps -L` shows, at most 15 bytes.
///   - body: Runs on the thread, which ends when it returns.
/// - Returns: False if the system cannot create a thread; `body` is then not called.
@discardableResult
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
    let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
    var thread = pthread_t()
    let status = unsafe pthread_create(
        &thread, nil,
        { context in
            guard let context = unsafe context else { return nil }
            let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
            unsafe hslink_set_thread_name(pthread_self(), start.name)
            start.body()
            return nil
        }, unsafe start.toOpaque())
    guard status == 0 else {
        unsafe start.release()
        return false
    }
    pthread_detach(thread)
    return true
}
