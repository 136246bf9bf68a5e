import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("zlib")
struct ZlibTests {
    private let digits: Payload = .bytes(Array("123456789".utf8))

    @Test("check values are those of the CRC catalogues")
    func checksums() async throws {
        try await withLibraries("zlib") { host async throws in
            #expect(try await host.call("Zlib", "crc32", ["crc": 0, "buf": digits]) == 0xCBF4_3926)
            #expect(try await host.call("Zlib", "adler32", ["adler": 1, "buf": digits]) == 0x091E_01DE)
            // Only a part of the data.
            let part: Payload = ["crc": 0, "buf": digits, "len": 0]
            #expect(try await host.call("Zlib", "crc32", part) == 0)
        }
    }

    @Test("compressed data expands to the original")
    func roundTrip() async throws {
        var random = SplitMix64(seed: 5)
        try await withLibraries("zlib") { host async throws in
            for size in [0, 1, 100, 70_000] {
                let data = (0..<size).map { _ in UInt8.random(in: 0...3, using: &random) }
                let bound = try await host.call("Zlib", "compressBound", ["sourceLen": .int(Int64(size))])
                let packed = try await host.call(
                    "Zlib", "compress2", ["destLen": bound, "source": .bytes(data), "level": "Z_BEST_COMPRESSION"])
                #expect(try packed.bytes("dest").count == packed.int("destLen"))
                #expect(try packed.int("return") == 0)
                let unpacked = try await host.call(
                    "Zlib", "uncompress",
                    ["destLen": .int(Int64(size)), "source": .bytes(try packed.bytes("dest"))])
                #expect(try unpacked.bytes("dest") == data)
            }
        }
    }

    @Test("an error has the library's number and message")
    func errors() async throws {
        try await withLibraries("zlib") { host async throws in
            let small = await failure {
                try await host.call("Zlib", "compress2", ["destLen": 3, "source": digits, "level": 9])
            }
            #expect(small?.domain == "zlib")
            #expect(small?.number == -5)
            #expect(small?.message == "buffer error")
            #expect(small?.classIsLoad == true)
            let broken = await failure { try await host.call("Zlib", "uncompress", ["destLen": 99, "source": digits]) }
            #expect(broken?.number == -3)
        }
    }

    @Test("a stream lives in a struct behind a handle")
    func stream() async throws {
        var random = SplitMix64(seed: 6)
        let data = (0..<50_000).map { _ in UInt8.random(in: 0...15, using: &random) }
        try await withLibraries("zlib") { host async throws in
            let made = try await host.call("Zlib", "deflateInit", ["level": 6])
            let stream = try made.value("strm")
            var packed: [UInt8] = []
            var rest = data[...]
            var isOver = false
            while !isOver {
                let piece = Array(rest.prefix(7000))
                let step = try await host.call(
                    "Zlib", "deflate",
                    [
                        "strm": stream, "strm.next_in": .bytes(piece), "strm.avail_out": 500,
                        "flush": rest.count <= 7000 ? "Z_FINISH" : "Z_NO_FLUSH",
                    ])
                packed += try step.bytes("strm.next_out")
                #expect(try step.bytes("strm.next_out").count == 500 - step.int("strm.avail_out"))
                rest = rest.dropFirst(piece.count - (try step.int("strm.avail_in")))
                isOver = try step.int("return") == 1
            }
            let unpacked = try await host.call(
                "Zlib", "uncompress", ["destLen": .int(Int64(data.count)), "source": .bytes(packed)])
            #expect(try unpacked.bytes("dest") == data)
            #expect(try await host.call("Zlib", "deflateEnd", ["strm": stream]) == 0)
            let late = await failure { try await host.call("Zlib", "deflateReset", ["strm": stream]) }
            #expect(late?.message == "the handle z_stream has been released")
        }
    }
}
