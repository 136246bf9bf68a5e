import Glibc
import SystemSupport

/// Notifies systemd of the host's state (sd_notify) if systemd started it with `Type=notify`.
enum SystemdNotifier {
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
