import ComponentHost
import ComponentKit
import TestSupport
import Testing

/// libpng, against pictures that Python writes.
@Suite("Pictures", .enabled(if: SystemLibraries.has("libpng16.so.16")))
struct PictureTests {
    /// A picture as hexadecimal digits, 13 pixels wide and 7 high, and its pixels row by row.
    private static func picture() async throws -> (file: [UInt8], rows: [UInt8]) {
        let lines = try await python(
            """
            import struct, zlib
            def chunk(name, data):
                return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
            rows = [bytes((x * 19 + y * 7 + c * 61) % 256 for x in range(13) for c in range(4)) for y in range(7)]
            data = zlib.compress(b"".join(b"\\0" + row for row in rows))
            head = struct.pack(">IIBBBBB", 13, 7, 8, 6, 0, 0, 0)
            print((b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")).hex())
            print(b"".join(rows).hex())
            """
        ).split(separator: "\n")
        return (bytes(lines[0]), bytes(lines[1]))
    }

    private static func bytes(_ digits: Substring) -> [UInt8] {
        stride(from: 0, to: digits.utf8.count, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
    }

    @Test("a picture is read to the rows that were written")
    func rows() async throws {
        let picture = try await Self.picture()
        try await withLibraries("png") { host async throws in
            let begun = try await host.call(
                "PNG", "png_image_begin_read_from_memory", ["memory": .bytes(picture.file)])
            #expect(begun["image.width"] == 13 && begun["image.height"] == 7)
            let image = try #require(begun["image"])
            let read = try await host.call("PNG", "png_image_finish_read", ["image": image])
            #expect(try read["buffer"]?.bytes() == picture.rows)
            let again = await failure { try await host.call("PNG", "png_image_finish_read", ["image": image]) }
            #expect(again?.number == 2 && again?.message.contains("png_image_finish_read") == true)
        }
    }

    @Test("a damaged picture is an error with libpng's message, wherever it is damaged")
    func damaged() async throws {
        let picture = try await Self.picture()
        try await withLibraries("png") { host async throws in
            let none = await failure {
                try await host.call("PNG", "png_image_begin_read_from_memory", ["memory": .bytes(Array("no".utf8))])
            }
            #expect(none?.code == .methodFailed && none?.number == 2 && none?.message.isEmpty == false)
            var failures = 0
            for place in stride(from: 0, to: picture.file.count, by: 3) {
                var file = picture.file
                file[place] ^= 0x55
                let error = await failure {
                    let begun = try await host.call("PNG", "png_image_begin_read_from_memory", ["memory": .bytes(file)])
                    return try await host.call("PNG", "png_image_finish_read", ["image": begun["image"] ?? .null])
                }
                guard let error else { continue }
                failures += 1
                #expect(error.code == .methodFailed || error.code == .payloadMismatch, "\(place): \(error)")
            }
            #expect(failures > 20)
        }
    }
}
