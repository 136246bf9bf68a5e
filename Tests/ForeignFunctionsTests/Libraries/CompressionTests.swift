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
