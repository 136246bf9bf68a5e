import Foundation
import Glibc
import TestSupport

/// An answer of a web server, as it came over the connection.
struct HTTPAnswer: Sendable {
    let status: Int
    /// By name in lower case; the last one of a name.
    let headers: [String: String]
    /// The cookies that the answer sets, for the next request.
    let cookies: [String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The cookie of the session, if the answer sets one.
    var cookie: String? { cookies.first }

    /// What stands in the document between two texts.
    func between(_ start: String, _ end: String) -> String? {
        guard let first = text.range(of: start), let last = text.range(of: end, range: first.upperBound..<text.endIndex)
        else { return nil }
        return String(text[first.upperBound..<last.lowerBound])
    }

    /// The token of the forms in the document.
    var token: String? { between(#"name="token" value=""#, "\"") }

    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return nil }
        self.status = status
        var headers: [String: String] = [:]
        var cookies: [String] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let (name, value) = (line[..<colon].lowercased(), line[line.index(after: colon)...])
            headers[name] = value.trimmingCharacters(in: .whitespaces)
            guard name == "set-cookie", let cookie = headers[name]?.split(separator: ";").first else { continue }
            cookies.append(String(cookie))
        }
        self.headers = headers
        self.cookies = cookies
        body = Array(bytes[end.upperBound...])
    }
}

/// A connection to a web server on this machine, whose every byte a test decides.
final class RawConnection: Sendable {
    private let descriptor: Int32

    /// - Parameter patience: how long a read waits, multiplied by ``TestPatience/factor``.
    init(port: Int, patience: Int = 60) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var time = timeval(tv_sec: TestPatience.seconds(patience), tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Ends the connection; nothing is sent or read after it.
    func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// - Returns: whether the server, or the system for it, has taken all bytes.
    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads what comes; empty at the end, nil if nothing has come in time.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? (errno == EAGAIN ? nil : []) : Array(buffer[..<count])
    }

    /// Reads until the server closes the connection, or until `isEnough`.
    func readAll(until isEnough: ([UInt8]) -> Bool = { _ in false }) -> [UInt8] {
        var all: [UInt8] = []
        while !isEnough(all), let part = read(), !part.isEmpty { all += part }
        return all
    }
}
