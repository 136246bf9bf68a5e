import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog

@Suite("Paths that the dynamic loader would read as others")
struct LoaderTokenTests {
    @Test(
        "tokens are found by the rules of the loader",
        arguments: [
            ("/a/$ORIGIN/b", "$ORIGIN"), ("/a$LIB", "$LIB"), ("/a/${PLATFORM}x", "${PLATFORM}"), ("/$LIB-1", "$LIB"),
            ("/a/\u{600}$LIB", "$LIB"), ("/$LIB\u{301}", "$LIB"), ("/$$ORIGIN", "$ORIGIN"), ("/$x/${LIB}", "${LIB}"),
        ])
    func tokens(path: String, token: String) { #expect(LoaderToken.first(in: path) == token) }

    @Test(
        "other dollar signs are left alone",
        arguments: ["", "/a", "/$", "/$HOME", "/$ORIGINAL", "/$LIB_1", "/$lib", "/${ORIGIN", "/${LIBS}", "/$ ORIGIN"])
    func none(path: String) { #expect(LoaderToken.first(in: path) == nil) }

    @Test(
        "a directory with a token is refused, with what to rename",
        arguments: [TrustPolicy.strict, .unchecked], ["a$ORIGIN", "${LIB}", "$PLATFORM"])
    func directory(policy: TrustPolicy, name: String) throws {
        let place = try TemporaryDirectory()
        try place.makeDirectory("\(name)/plugins")
        try place.write(CompiledLibrary.small.get(), to: "\(name)/plugins/libSmall.so")
        // However it is reached: the loader is given the path without links.
        try place.link("way", to: name)
        for path in ["\(name)/plugins", "way/plugins"] {
            let catalog = CatalogScanner.scan([place.path(of: path)], formats: [], policy: policy)
            let rejection = try #require(catalog.rejectedDirectories.first)
            #expect(rejection.code == .loaderToken)
            #expect(
                rejection.reason.hasSuffix("; rename the directory '\(place.path(of: name))'"), "\(rejection.reason)")
            #expect(catalog.entries.isEmpty)
        }
    }

    @Test("a file with a token is refused, also behind a link, and the others are used")
    func file() throws {
        let place = try TemporaryDirectory()
        let small = try CompiledLibrary.small.get()
        try place.makeDirectory("in $LIB")
        try place.write(small, to: "in $LIB/libA.so")
        try place.write(small, to: "lib$ORIGIN.so")
        try place.link("libLink.so", to: "in $LIB/libA.so")
        try place.write(small, to: "lib$ORIGINAL.so")
        let catalog = CatalogScanner.scan([place.path], formats: [])
        #expect(catalog.entries.compactMap(\.file?.path) == [place.path(of: "lib$ORIGINAL.so")])
        #expect(catalog.rejectedFiles.map(\.code) == [.loaderToken, .loaderToken])
        #expect(catalog.rejectedFiles[0].reason.hasSuffix("; rename the file '\(place.path(of: "lib$ORIGIN.so"))'"))
        #expect(catalog.rejectedFiles[1].reason.hasSuffix("; rename the directory '\(place.path(of: "in $LIB"))'"))
    }

    @Test("a described library behind a link to such a directory is refused when it is opened")
    func described() throws {
        let place = try TemporaryDirectory()
        try place.makeDirectory("${LIB}")
        try place.write(CompiledLibrary.compile("int x;"), to: "${LIB}/libx.so")
        try place.link("libx.so", to: "${LIB}/libx.so")
        var checker = TrustChecker()
        let error = #expect(throws: ComponentFileError.self) {
            _ = try checker.openLibrary(path: place.path(of: "libx.so"))
        }
        #expect(error?.code == .loaderToken)
    }
}
