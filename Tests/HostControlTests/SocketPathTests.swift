import Testing

@testable import HostControl

@Suite("Paths of control sockets")
struct SocketPathTests {
    @Test("a path is as long as a socket's may be", arguments: [1, 106, 107])
    func fits(length: Int) throws {
        let text = String(repeating: "s", count: length)
        #expect(try SocketPath(text).text == text)
    }

    @Test("a longer one says how long it is, and what may be", arguments: [108, 4096])
    func tooLong(length: Int) {
        let error = #expect(throws: ControlError.self) { try SocketPath(String(repeating: "ü", count: length / 2)) }
        #expect(error?.code == .invalidPath)
        #expect(error?.message.contains("at most 107 bytes") == true)
        #expect(error?.message.contains("found \(length)") == true)
    }

    @Test("nothing, and what ends early, is no path", arguments: ["", "a\u{0}b"])
    func nothing(text: String) {
        #expect(throws: ControlError.self) { try SocketPath(text) }
    }

    @Test("the directory of a path", arguments: [("/a", "/"), ("/a/b", "/a"), ("a", "."), ("a/b/c", "a/b")])
    func directory(path: String, directory: String) throws {
        #expect(try SocketPath(path).directory == directory)
    }
}
