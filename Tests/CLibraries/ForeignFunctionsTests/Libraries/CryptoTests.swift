import ComponentHost
import ComponentKit
import Testing

@Suite("libcrypto", .enabled(if: SystemLibraries.hasCrypto, "libcrypto.so.3 is not installed"))
struct CryptoTests {
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// FIPS 180-2, appendix B.
    private let digestOfABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test("SHA-256 in one call is the standard's own example")
    func sha256() async throws {
        try await withLibraries("crypto") { host async throws in
            let digest = try await host.call("Crypto", "SHA256", ["d": "abc"])
            #expect(hexadecimal(try digest.bytes("md")) == digestOfABC)
        }
    }

    @Test("a digest in steps, by handles")
    func digest() async throws {
        try await withLibraries("crypto") { host async throws in
            let context = try await host.call("Crypto", "EVP_MD_CTX_new")
            let kind = try await host.call("Crypto", "EVP_get_digestbyname", ["name": "SHA256"])
            _ = try await host.call("Crypto", "EVP_DigestInit_ex", ["ctx": context, "type": kind])
            for piece in ["a", "", "bc"] {
                _ = try await host.call(
                    "Crypto", "EVP_DigestUpdate", ["ctx": context, "d": .bytes(Array(piece.utf8))])
            }
            let digest = try await host.call("Crypto", "EVP_DigestFinal_ex", ["ctx": context])
            #expect(try digest.int("s") == 32)
            #expect(hexadecimal(try digest.bytes("md")) == digestOfABC)
            let unknown = await failure { try await host.call("Crypto", "EVP_get_digestbyname", ["name": "SHA0"]) }
            #expect(unknown?.domain == "crypto")
            let wrong = await failure {
                try await host.call("Crypto", "EVP_DigestUpdate", ["ctx": kind, "d": "abc"])
            }
            #expect(wrong?.message == "ctx: expected an object evp_md_ctx_st, found an object evp_md_st")
        }
    }

    @Test("a formula before the call may use handles")
    func formulaWithHandle() async throws {
        let description = """
            {"name": "digests", "version": "1.0.0", "library": "libcrypto.so.3", "class": "Digests",
             "declarations": [
              "typedef struct evp_md_ctx_st EVP_MD_CTX; typedef struct evp_md_st EVP_MD; typedef struct engine_st ENGINE;",
              "EVP_MD_CTX *EVP_MD_CTX_new(void); void EVP_MD_CTX_free(EVP_MD_CTX *ctx);",
              "const EVP_MD *EVP_get_digestbyname(const char *name); int EVP_MD_get_size(const EVP_MD *md);",
              "const EVP_MD *EVP_MD_CTX_get0_md(const EVP_MD_CTX *ctx);",
              "int EVP_DigestInit_ex(EVP_MD_CTX *ctx, const EVP_MD *type, ENGINE *impl);",
              "int EVP_DigestUpdate(EVP_MD_CTX *ctx, const void *d, size_t cnt);",
              "int EVP_DigestFinal_ex(EVP_MD_CTX *ctx, unsigned char *md, unsigned int *s);"],
             "annotations": {
              "EVP_get_digestbyname": {"name": "copied"},
              "EVP_DigestInit_ex": {"type": "handle", "impl": "null", "return": "error unless 1"},
              "EVP_DigestUpdate": {"d": "bytes[cnt]", "return": "error unless 1"},
              "EVP_DigestFinal_ex": {"md": "out bytes[EVP_MD_get_size(EVP_MD_CTX_get0_md(ctx))]", "s": "null",
                                     "return": "error unless 1"}},
             "handles": {"EVP_MD_CTX": "EVP_MD_CTX_free"}}
            """
        try await withDescription(description) { host async throws in
            let context = try await host.call("Digests", "EVP_MD_CTX_new")
            let kind = try await host.call("Digests", "EVP_get_digestbyname", ["name": "SHA256"])
            _ = try await host.call("Digests", "EVP_DigestInit_ex", ["ctx": context, "type": kind])
            _ = try await host.call("Digests", "EVP_DigestUpdate", ["ctx": context, "d": "abc"])
            let digest = try await host.call("Digests", "EVP_DigestFinal_ex", ["ctx": context])
            #expect(hexadecimal(try digest.bytes("md")) == digestOfABC)
        }
    }

    @Test("random bytes have the requested number, and differ each time")
    func random() async throws {
        try await withLibraries("crypto") { host async throws in
            let first = try await host.call("Crypto", "RAND_bytes", ["num": 32]).bytes("buf")
            let second = try await host.call("Crypto", "RAND_bytes", ["num": 32]).bytes("buf")
            #expect(first.count == 32)
            #expect(first != second)
            #expect(try await host.call("Crypto", "RAND_bytes", ["num": 0]).bytes("buf") == [])
        }
    }
}
