import Testing

@testable import HostControl

@Suite("Paths of control sockets")
struct SocketPathTests {
    @Test("a path may have the maximum length of a socket's path", arguments: [1, 106, 107])
    func fits(length: Int) throws {
        let text = String(repeating: "s", count: length)
        #expect(try SocketPath(text).text == text)
    }

    @Test("the error of a longer path has its length and the limit", arguments: [108, 4096])
    func tooLong(length: Int) {
        let error = #expect(throws: ControlError.self) { try SocketPath(String(repeating: "ü", count: length / 2)) }
        #expect(error?.code == .invalidPath)
        #expect(error?.message.contains("at most 107 bytes") == true)
        #expect(error?.message.contains("found \(length)") == true)
    }

    @Test("an empty path, and one with a NUL, is refused", arguments: ["", "a\u{0}b"])
    func nothing(text: String) {
        #expect(throws: ControlError.self) { try SocketPath(text) }
    }

    @Test("the directory of a path", arguments: [("/a", "/"), ("/a/b", "/a"), ("a", "."), ("a/b/c", "a/b")])
    func directory(path: String, directory: String) throws {
        #expect(try SocketPath(path).directory == directory)
    }
}
