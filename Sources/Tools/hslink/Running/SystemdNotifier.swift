import Glibc
import SystemSupport

/// Notifies systemd of the host's state (sd_notify) if systemd started it with `Type=notify`.
enum SystemdNotifier {
    /// Tells systemd that the host is alive, twice in the time that it allows (`WatchdogSec=`), until the process ends.
    /// Does nothing if systemd does not watch this process.
    ///
    /// - Parameter check: returns if the host is alive, and blocks if it is not; false if it is gone.
    static func keepAlive(_ check: @escaping @Sendable () -> Bool) {
        let variable = { (name: String) in unsafe getenv(name).map { unsafe String(cString: $0) } }
        guard let limit = watchdogLimit(variable, process: getpid()) else { return }
        startThread(named: "hslink-alive") {
            while check() {
                send("WATCHDOG=1")
                usleep(UInt32(clamping: limit / 2))
            }
        }
    }

    /// Returns how long systemd waits for a sign of life, in microseconds; nil if it does not watch this process.
    ///
    /// - Parameters:
    ///   - variable: returns the value of an environment variable.
    ///   - process: the number of this process.
    static func watchdogLimit(_ variable: (String) -> String?, process: Int32) -> Int? {
        guard let limit = variable("WATCHDOG_USEC").flatMap({ Int($0) }), limit > 0 else { return nil }
        // Set by systemd for the process that it has started, and inherited by others.
        if let watched = variable("WATCHDOG_PID"), Int32(watched) != process { return nil }
        return limit
    }

    /// Sends a state. Does nothing without NOTIFY_SOCKET.
    ///
    /// - Parameters:
    ///   - state: the assignment, as in "READY=1".
    ///   - mayBlock: whether to wait while systemd has not read earlier messages; otherwise the state is then dropped.
    static func send(_ state: String, mayBlock: Bool = true) {
        guard let path = unsafe getenv("NOTIFY_SOCKET") else { return }
        // A path is bytes: not every one is UTF-8.
        var bytes = unsafe Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        // A socket in the abstract namespace begins with a null byte.
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let flags = Int32(MSG_NOSIGNAL) | (mayBlock ? 0 : Int32(MSG_DONTWAIT))
        // Errors are ignored: they only mean that systemd is not listening.
        _ = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe sendto(descriptor, state, state.utf8.count, flags, pointer, length)
            }
        }
    }
}
