import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

/// zstd and liblzma, against their own programs and Python.
@Suite("Compression")
struct CompressionTests {
    private static let text = String(repeating: "All work and no play. ", count: 5000)

    @Test("what zstd compresses, its program decompresses", .enabled(if: SystemLibraries.has("libzstd.so.1")))
    func zstd() async throws {
        let directory = try TemporaryDirectory()
        try await withLibraries("zstd") { host async throws in
            let bound = try await host.call("Zstd", "ZSTD_compressBound", ["srcSize": Payload(Self.text.utf8.count)])
            let packed = try #require(
                try await host.call(
                    "Zstd", "ZSTD_compress",
                    ["dstCapacity": bound, "src": .string(Self.text), "compressionLevel": 3])["dst"])
            try directory.write(try packed.bytes(), to: "text.zst")
            let run = try await ProgramRun.of(
                URL(filePath: "/usr/bin/env"), ["zstd", "-dc", directory.path(of: "text.zst")])
            #expect(run.status == 0 && run.standardOutput == Self.text)
            let unpacked = try await host.call(
                "Zstd", "ZSTD_decompress", ["dstCapacity": Payload(Self.text.utf8.count), "src": packed])
            #expect(try unpacked["dst"]?.bytes() == Array(Self.text.utf8))
            for (capacity, source, message) in [
                (Payload(10), packed, "Destination buffer is too small"),
                (100, .bytes(Array(repeating: 7, count: 100)), "Unknown frame descriptor"),
            ] {
                let error = await failure {
                    try await host.call("Zstd", "ZSTD_decompress", ["dstCapacity": capacity, "src": source])
                }
                #expect(error?.message == message)
            }
        }
    }

    @Test("zstd compresses and decompresses piece by piece", .enabled(if: SystemLibraries.has("libzstd.so.1")))
    func zstdStreams() async throws {
        let directory = try TemporaryDirectory()
        try await withLibraries("zstd") { host async throws in
            let context = try await host.call("Zstd", "ZSTD_createCCtx")
            let source = Payload.bytes(Array(Self.text.utf8))
            var packed: [UInt8] = []
            var position: Payload = 0
            while true {
                let answer = try await host.call(
                    "Zstd", "ZSTD_compressStream2",
                    [
                        "cctx": context, "output": ["size": 16], "input": ["src": source, "pos": position],
                        "endOp": "ZSTD_e_end",
                    ])
                packed += try answer["output"]?["dst"]?.bytes() ?? []
                position = answer["input"]?["pos"] ?? 0
                if answer["return"] == 0 { break }
            }
            try directory.write(packed, to: "text.zst")
            let run = try await ProgramRun.of(
                URL(filePath: "/usr/bin/env"), ["zstd", "-dc", directory.path(of: "text.zst")])
            #expect(run.status == 0 && run.standardOutput == Self.text)

            let reader = try await host.call("Zstd", "ZSTD_createDCtx")
            var unpacked: [UInt8] = []
            for piece in stride(from: 0, to: packed.count, by: 10) {
                var position: Payload = 0
                let bytes = Array(packed[piece..<min(piece + 10, packed.count)])
                var isFull = true
                while isFull || position != Payload(bytes.count) {
                    let answer = try await host.call(
                        "Zstd", "ZSTD_decompressStream",
                        ["dctx": reader, "output": ["size": 1000], "input": ["src": .bytes(bytes), "pos": position]])
                    let made = try answer["output"]?["dst"]?.bytes() ?? []
                    isFull = made.count == 1000
                    unpacked += made
                    position = answer["input"]?["pos"] ?? 0
                }
            }
            #expect(unpacked == Array(Self.text.utf8))
            let error = await failure {
                try await host.call(
                    "Zstd", "ZSTD_decompressStream",
                    ["dctx": reader, "output": ["size": 10], "input": ["src": .bytes(Array("nonsense".utf8))]])
            }
            #expect(error?.message == "Unknown frame descriptor")
        }
    }

    @Test(
        "what liblzma compresses piece by piece, Python decompresses", .enabled(if: SystemLibraries.has("liblzma.so.5"))
    )
    func lzma() async throws {
        let directory = try TemporaryDirectory()
        try await withLibraries("lzma") { host async throws in
            let made = try await host.call("LZMA", "lzma_easy_encoder", ["preset": 6, "check": "LZMA_CHECK_CRC64"])
            let stream = try #require(made["strm"])
            var packed: [UInt8] = []
            var rest = Array(Self.text.utf8)
            while true {
                let piece = Array(rest.prefix(10_000))
                let isLast = piece.count == rest.count
                let answer = try await host.call(
                    "LZMA", "lzma_code",
                    [
                        "strm": stream, "strm.next_in": .bytes(piece), "strm.avail_out": 64,
                        "action": isLast ? "LZMA_FINISH" : "LZMA_RUN",
                    ])
                packed += try answer["strm.next_out"]?.bytes() ?? []
                rest.removeFirst(piece.count - (try answer["strm.avail_in"]?.int() ?? 0))
                if try answer["return"]?.int() == 1 { break }
            }
            try directory.write(packed, to: "text.xz")
            let sum = try await host.call("LZMA", "lzma_crc32", ["buf": .string(Self.text), "crc": 0])
            let expected = try await python(
                """
                import sys, lzma, zlib
                data = lzma.open(sys.argv[1]).read()
                print(len(data), zlib.crc32(data))
                """, directory.path(of: "text.xz"))
            #expect("\(Self.text.utf8.count) \(try sum.int())\n" == expected)
        }
    }
}
