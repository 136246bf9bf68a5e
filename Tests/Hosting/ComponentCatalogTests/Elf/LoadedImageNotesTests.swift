import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog

@Suite("The notes of images in memory")
struct LoadedImageNotesTests {
    @Test("the notes of the image around an address are found")
    func notes() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            CompiledLibrary.compile(CompiledLibrary.source(name: "InMemory") + "\nint here(void) { return 1; }"),
            to: "libInMemory.so")
        let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL)
        let address = try unsafe #require(dlsym(handle, "here"))
        var texts: [String] = []
        try unsafe LoadedImageNotes.forEachNote(around: address) { note in
            unsafe texts.append(String(decoding: note.text, as: UTF8.self))
        }
        #expect(texts == [#"{"name": "InMemory", "version": "1.0.0"}"#, #"{"abi": "1.0"}"#])

        let manifests = try unsafe Manifest.builtIn(around: address).manifests
        #expect(manifests.map(\.name) == ["InMemory"])
        #expect(manifests.first?.abi == Manifest.ABIVersion(major: 1, minor: 0))
    }

    @Test("an address outside of all images has no notes")
    func nowhere() throws {
        var count = 0
        let address = try unsafe #require(UnsafeRawPointer(bitPattern: 16))
        unsafe try LoadedImageNotes.forEachNote(around: address) { _ in count += 1 }
        #expect(count == 0)
    }
}
