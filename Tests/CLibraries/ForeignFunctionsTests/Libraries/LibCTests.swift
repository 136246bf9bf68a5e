import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("The C library")
struct LibCTests {
    @Test("small structs come back as maps")
    func division() async throws {
        try await withLibraries("libc") { host async throws in
            #expect(
                try await host.call("LibC", "div", ["numerator": -7, "denominator": 2]) == ["quot": -3, "rem": -1])
            #expect(
                try await host.call("LibC", "ldiv", ["numerator": 1_000_000_007, "denominator": 10])
                    == ["quot": 100_000_000, "rem": 7])
        }
    }

    @Test("text is passed and returned")
    func text() async throws {
        try await withLibraries("libc") { host async throws in
            #expect(try await host.call("LibC", "strtod", ["nptr": "12.5 km"]) == ["endptr": " km", "return": 12.5])
            #expect(try await host.call("LibC", "strdup", ["s": "Grüße"]) == "Grüße")
            #expect(try await host.call("LibC", "strlen", ["s": "Grüße"]) == 7)
            // 192.0.2.33 in network order.
            #expect(try await host.call("LibC", "inet_ntoa", ["in": ["s_addr": 0x2102_00C0]]) == "192.0.2.33")
            let inside = await failure { try await host.call("LibC", "strlen", ["s": "a\0b"]) }
            #expect(inside?.message == "s: expected a string without NUL characters, found one with a NUL")
        }
    }

    @Test("formats accept the arguments they declare, and no others")
    func formats() async throws {
        try await withLibraries("libc") { host async throws in
            func print(_ format: Payload, _ arguments: Payload, size: Int = 100) async throws -> Payload {
                try await host.call("LibC", "snprintf", ["size": Payload(size), "format": format, "...": arguments])
            }
            #expect(
                try await print("%s has %d of %.2f%% (%5lu|%-4x|%c)", ["Ada", -3, 12.5, 1_099_511_627_776, 255, 65])
                    == ["str": "Ada has -3 of 12.50% (1099511627776|ff  |A)", "return": 43])
            // The result is the length of the untruncated text.
            #expect(try await print("%s", ["123456789"], size: 5) == ["str": "1234", "return": 9])
            #expect(try await print("%*d", [5, 42]) == ["str": "   42", "return": 5])
            let wrong: [(Payload, Payload, String)] = [
                ("%s", [1], "\"...\"[0]: expected string, found int"),
                ("%d", ["1"], "found string"),
                ("%d", [1_099_511_627_776], "expected int from -2147483648 to 2147483647"),
                ("%d %d", [1], "expected an array of 2, found 1 items"),
                ("%n", [1], "format: expected a conversion such as"),
                ("%1$d", [1], "format: expected a conversion such as"),
                ("%", [], "format: expected a conversion"),
            ]
            for (format, arguments, message) in wrong {
                let error = await failure { try await print(format, arguments) }
                #expect(error?.code == .payloadMismatch)
                #expect(error?.message.contains(message) == true, "\(error?.message ?? "none")")
            }
        }
    }

    @Test("a closure compares while C sorts and searches", arguments: ["qsort", "qsort_r"])
    func sorting(selector: String) async throws {
        try await withLibraries("libc") { host async throws in
            let compare = host.link.typedClosure { (left: Int, right: Int) in
                left < right ? -1 : left > right ? 1 : 0
            }
            let sorted = try await host.call(
                "LibC", selector, ["base": [3, -1, 2, 2_000_000_000, 0], "compar": compare])
            #expect(try sorted.value("base") == [-1, 0, 2, 3, 2_000_000_000])
            #expect(
                try await host.call(
                    "LibC", "bsearch", ["key": 2, "base": sorted.value("base"), "compar": compare]) == 2)
            #expect(
                try await host.call(
                    "LibC", "bsearch", ["key": 5, "base": sorted.value("base"), "compar": compare]) == .null)
        }
    }

    @Test("a closure is called for every file of a tree, and can end the walk")
    func walk() async throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("a")
        try directory.write("x", to: "a/b")
        let root = directory.path
        try await withLibraries("libc") { host async throws in
            let seen = Lock<[String]>([])
            let visit = host.link.closure { file -> Payload in
                let file = try file.copy()
                let path = try file.value(0).string()
                let level = try file.value(3, "level").int()
                seen.withLock { $0.append("\(path.dropFirst(root.utf8.count)) \(level)") }
                guard !path.hasSuffix("/b") else { throw LinkError(domain: "test", number: 1, message: "seen") }
                return 0
            }
            let walk: Payload = [
                "dirpath": .string(root), "fn": visit, "nopenfd": 4, "flags": "FTW_PHYS",
            ]
            let error = await failure { try await host.call("LibC", "nftw", walk) }
            #expect(error?.message == "seen")
            #expect(seen.withLock { $0 } == [" 0", "/a 1", "/a/b 2"])
            withExtendedLifetime(directory) {}
            let missing = await failure {
                try await host.call("LibC", "nftw", ["dirpath": "/no/such", "fn": visit, "nopenfd": 4, "flags": 0])
            }
            #expect(missing?.message == "No such file or directory")
            #expect(missing?.number == 2)
        }
    }

    @Test("times are maps behind pointers")
    func times() async throws {
        try await withLibraries("libc") { host async throws in
            let time = try await host.call("LibC", "gmtime_r", ["timep": 1_000_000_000]).value("result")
            // 2001-09-09T01:46:40Z, a Sunday.
            let expected: Payload = [
                "tm_sec": 40, "tm_min": 46, "tm_hour": 1, "tm_mday": 9, "tm_mon": 8, "tm_year": 101, "tm_wday": 0,
                "tm_yday": 251, "tm_isdst": 0, "tm_gmtoff": 0, "tm_zone": "GMT",
            ]
            #expect(time == expected)
            let back = try await host.call("LibC", "timegm", ["tm": time])
            #expect(try back.int("return") == 1_000_000_000)
            let unknown = await failure { try await host.call("LibC", "timegm", ["tm": ["tm_second": 1]]) }
            #expect(unknown?.message == "tm.tm_second: expected a field of struct tm, found an unknown key")
        }
    }

    @Test("lines are read from a file behind a handle")
    func lines() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("first\nsecond", to: "lines")
        try await withLibraries("libc") { host async throws in
            let file = try await host.call("LibC", "fopen", ["pathname": .string(path), "mode": "r"]).value("return")
            #expect(try await host.call("LibC", "getline", ["stream": file]).string("lineptr") == "first\n")
            let second = try await host.call("LibC", "getline", ["stream": file])
            #expect(try second.string("lineptr") == "second")
            #expect(try second.int("return") == 6)
            let end = await failure { try await host.call("LibC", "getline", ["stream": file]) }
            #expect(end?.domain == "libc")
            #expect(try await host.call("LibC", "fclose", ["stream": file]) == 0)
            let missing = await failure {
                try await host.call("LibC", "fopen", ["pathname": "/no/such", "mode": "r"])
            }
            #expect(missing?.message == "No such file or directory")
        }
    }

    @Test("a file is made of closures, which live as long as it does")
    func cookies() async throws {
        try await withLibraries("libc") { host async throws in
            let written = Lock<[UInt8]>([])
            let closed = Lock(0)
            let write = host.link.typedClosure { (bytes: Data, _: Int) in
                written.withLock { $0 += bytes }
                return bytes.count
            }
            let close = host.link.closure { _ in
                closed.withLock { $0 += 1 }
                return 0
            }
            let opened = try await host.call(
                "LibC", "fopencookie", ["mode": "w", "io_funcs": ["write": write, "close": close]])
            _ = try await host.call("LibC", "fputs", ["s": "Hello, ", "stream": opened])
            _ = try await host.call("LibC", "fputs", ["s": "C", "stream": opened])
            _ = try await host.call("LibC", "fflush", ["stream": opened])
            #expect(written.withLock { String(decoding: $0, as: UTF8.self) } == "Hello, C")
            #expect(try await host.call("LibC", "fclose", ["stream": opened]) == 0)
            #expect(closed.withLock { $0 } == 1)

            let source = Lock(Array("from a closure".utf8)[...])
            let read = host.link.typedClosure { (size: Int) -> Payload in
                let bytes = source.withLock { source in
                    let bytes = Array(source.prefix(min(size, 5)))
                    source = source.dropFirst(bytes.count)
                    return bytes
                }
                return ["buf": .bytes(bytes)]
            }
            let reading = try await host.call(
                "LibC", "fopencookie", ["mode": "r", "io_funcs": ["read": read, "close": close]])
            let text = try await host.call("LibC", "fread", ["nmemb": 100, "stream": reading])
            #expect(try text.bytes("ptr") == Array("from a closure".utf8))
            // Released by the last reference too.
        }
    }

    // The sanitizer does not know a thread that C starts through libffi.
    @Test("a C thread runs a closure", .enabled(if: BuiltProducts.sanitizer != "thread"))
    func threads() async throws {
        try await withLibraries("libc") { host async throws in
            let runs = Lock(0)
            let start = host.link.closure { _ -> Payload in
                runs.withLock { $0 += 1 }
                return .null
            }
            let thread = try await host.call("LibC", "pthread_create", ["start_routine": start])
            _ = try await host.call("LibC", "pthread_join", ["thread": thread.value("thread")])
            #expect(runs.withLock { $0 } == 1)
        }
    }

    @Test("large structs come back, and text in place")
    func structs() async throws {
        try await withLibraries("libc") { host async throws in
            let usage = try await host.call("LibC", "mallinfo2")
            // A sanitizer has its own allocator, which this function does not know.
            #expect(try usage.int("arena") > 0 || BuiltProducts.sanitizer != nil)
            #expect(try usage.int("uordblks") <= (try usage.int("arena")) + (try usage.int("hblkhd")))
            #expect(usage.count == 10)
            let system = try await host.call("LibC", "uname").value("buf")
            #expect(try system.string("sysname") == "Linux")
        }
    }

    @Test("errno has the system's error message, and files are numbers")
    func descriptors() async throws {
        try await withLibraries("libc") { host async throws in
            let missing = await failure {
                try await host.call("LibC", "open", ["pathname": "/no/such", "flags": "O_RDONLY", "...": [0]])
            }
            #expect(missing?.number == 2)
            #expect(missing?.message == "No such file or directory")
            let pipe = try await host.call("LibC", "pipe")
            let (reader, writer) = (try pipe.value("pipefd", 0), try pipe.value("pipefd", 1))
            #expect(try await host.call("LibC", "write", ["fd": writer, "buf": "hello"]).int("return") == 5)
            let got = try await host.call("LibC", "read", ["fd": reader, "count": 100])
            #expect(got == ["buf": .bytes(Array("hello".utf8)), "return": 5, "errno": 0])
            for descriptor in [reader, writer] { _ = try await host.call("LibC", "close", ["fd": descriptor]) }
            let closed = await failure { try await host.call("LibC", "close", ["fd": 1_000_000]) }
            #expect(closed?.message == "Bad file descriptor")
        }
    }

    @Test("two buffers that share a length have the same length")
    func shared() async throws {
        try await withLibraries("libc") { host async throws in
            #expect(try await host.call("LibC", "memcmp", ["s1": "abc", "s2": "abc"]) == 0)
            let error = await failure { try await host.call("LibC", "memcmp", ["s1": "abc", "s2": "ab"]) }
            #expect(error?.message == "n: expected data of equal lengths, found lengths [3, 2]")
            #expect(try await host.call("LibC", "memcmp", ["s1": "abc", "s2": "ab", "n": 2]) == 0)
            let long = await failure { try await host.call("LibC", "memcmp", ["s1": "abc", "s2": "ab", "n": 3]) }
            #expect(long?.message == "n: expected at most 2, the length of the data, found 3")
        }
    }
}
