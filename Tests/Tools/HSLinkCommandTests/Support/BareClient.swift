import Foundation

/// A raw client of the control channel.
final class BareClient: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let status = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            let error = errno
            close(descriptor)
            throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO)
        }
    }

    deinit { close(descriptor) }

    /// Sends the same bytes repeatedly, on a new thread, until the other side ends; never reads the answers.
    func sendWithoutEnd(_ bytes: [UInt8]) {
        Thread.detachNewThread { [self] in
            var start = 0
            while true {
                let count = unsafe bytes[start...].withUnsafeBytes { buffer in
                    unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                start = (start + count) % bytes.count
            }
        }
    }

    /// Returns a frame with a call of a class method, whose argument is an array of `count` zeros of one byte each.
    static func frame(_ className: String, _ selector: String, zeros count: Int) -> [UInt8] {
        func text(_ text: String) -> [UInt8] { [0x60 | UInt8(text.utf8.count)] + text.utf8 }
        func bigEndian(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        var content: [UInt8] = [0xA6] + text("id") + [1] + text("request") + text("call")
        content += text("class") + text(className) + text("selector") + text(selector) + text("kind") + text("class")
        content += text("payload") + [0x9A] + bigEndian(count) + [UInt8](repeating: 0, count: count)
        return bigEndian(content.count) + content
    }
}
