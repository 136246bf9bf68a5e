import ComponentKit
import Foundation

/// A client of the control channel that can send any bytes.
final class RawClient: Sendable {
    let descriptor: Int32

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

    /// Sends raw bytes on a new thread; returns how many were sent. A cancellation ends the connection, since nobody may
    /// read any longer.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> Int {
        await withTaskCancellationHandler {
            await awaitResume { resume in Thread.detachNewThread { [self] in resume(sendBlocking(bytes)) } }
        } onCancel: {
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Sends raw bytes on this thread, until all are sent or the connection has ended.
    func sendBlocking(_ bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { buffer in
                unsafe Foundation.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    /// Sends a frame.
    func send(frame content: [UInt8]) async { await send(RawClient.frame(content)) }

    /// Sends a frame with a request.
    func send(_ request: Payload) async throws { await send(frame: try request.cbor()) }

    static func frame(_ content: [UInt8]) -> [UInt8] {
        let length = UInt32(content.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> UInt32($0)) } + content
    }

    /// Waits for a frame; returns nil at the end of the connection.
    func receive() async throws -> Payload? {
        let client = self
        return try await Task.detached { () -> Payload? in
            guard let head = await client.read(4) else { return nil }
            let length = head.reduce(0) { $0 << 8 | Int($1) }
            guard let content = await client.read(length) else { return nil }
            return try Payload(cbor: content)
        }.value
    }

    /// Sends bytes and waits for a frame, on this thread; returns nil at the end of the connection.
    func exchangeBlocking(_ bytes: [UInt8]) -> Payload? {
        guard sendBlocking(bytes) == bytes.count, let head = readBlocking(4),
            let content = readBlocking(head.reduce(0) { $0 << 8 | Int($1) })
        else { return nil }
        return try? Payload(cbor: content)
    }

    /// Whether bytes are available to read.
    var hasUnreadBytes: Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// Reads exactly that many bytes; returns nil if the connection ends first.
    private func read(_ count: Int) async -> [UInt8]? {
        await awaitResume { resume in Thread.detachNewThread { [self] in resume(readBlocking(count)) } }
    }

    private func readBlocking(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var have = 0
        while have < count {
            let got = unsafe bytes[have...].withUnsafeMutableBytes { buffer in
                unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            }
            guard got > 0 else { return nil }
            have += got
        }
        return bytes
    }
}
