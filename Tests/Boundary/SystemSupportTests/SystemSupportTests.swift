import Foundation
import TestSupport
import Testing

@testable import SystemSupport

@Suite("System support")
struct SystemSupportTests {
    @Test(
        "error numbers have the system's error message",
        arguments: [
            (ENOENT, "No such file or directory"), (EACCES, "Permission denied"), (0, "Success"),
        ])
    func messages(number: Int32, message: String) { #expect(systemMessage(number) == message) }

    @Test("a number that the system does not know is shown as it is", arguments: [-1, 99_999] as [Int32])
    func unknown(number: Int32) { #expect(systemMessage(number).contains("\(number)")) }

    @Test("a thread runs with its name")
    func thread() async throws {
        let name = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            let isStarted = startThread(named: "support-test") {
                continuation.resume(
                    with: Result { try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) })
            }
            if !isStarted { continuation.resume(throwing: POSIXError(.EAGAIN)) }
        }
        #expect(name == "support-test\n")
    }

    @Test("the running program is found under the path that Foundation tells")
    func program() throws {
        let path = try #require(RunningProgram.path)
        #expect(path == URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path)
    }

    @Test(
        "a program that was replaced keeps its path",
        arguments: [
            ("/bin/tool", [], "/bin/tool"), ("/bin/tool (deleted)", [], "/bin/tool"),
            ("/bin/tool (deleted)", ["/bin/tool (deleted)"], "/bin/tool (deleted)"), ("", [], nil),
        ] as [(String, [String], String?)])
    func replaced(link: String, files: [String], path: String?) {
        #expect(RunningProgram.path(ofLink: link, exists: files.contains) == path)
    }

    @Test("a current directory whose path is not UTF-8 does not become another one")
    func directoryNotUTF8() async {
        await #expect(processExitsWith: .success) {
            let place = try TemporaryDirectory()
            try place.makeDirectory("x\u{FFFD}")
            // The bytes of "x" and 0xFF.
            let name: [CChar] = [120, -1, 0]
            let isMade = unsafe chdir(place.path) == 0 && mkdir(name, 0o755) == 0
            try #require(isMade && AbsolutePath.hasReadableDirectory)
            let hasEntered = unsafe chdir(name) == 0
            try #require(hasEntered)
            #expect(!AbsolutePath.hasReadableDirectory)
            #expect(!FileManager.default.fileExists(atPath: AbsolutePath.of(".")))
            #expect(AbsolutePath.of("/a") == "/a")
            let isRemoved = unsafe chdir("..") == 0 && rmdir(name) == 0
            #expect(isRemoved)
        }
    }

    @Test("bytes have two digits", arguments: [(0, "00"), (9, "09"), (10, "0a"), (255, "ff")] as [(UInt8, String)])
    func digits(byte: UInt8, text: String) { #expect(byte.hexadecimalDigits == text) }
}
