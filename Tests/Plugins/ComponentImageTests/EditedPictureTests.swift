import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentImage

/// A folder of pictures, some of which were edited. What they show does not matter here.
@Suite("Files of edited pictures")
struct EditedPictureTests {
    private let directory: TemporaryDirectory
    private let edited: EditedPictures

    init() throws {
        directory = try TemporaryDirectory()
        edited = EditedPictures(folder: directory.path)
        try directory.write("original", to: "a.png")
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    private func add(from original: String = "a.png") throws -> String {
        try edited.add([1, 2, 3], from: original) { "a-\($0).png" }
    }

    @Test("only what an edit has made and nothing has changed since is deleted")
    func deletion() throws {
        /// What happens to the file of an edited picture.
        let changes: [(String, (_ path: String) throws -> Void)] = [
            (
                "it is written again",
                {
                    try FileManager.default.setAttributes(
                        [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: $0)
                }
            ),
            ("it grows", { try FileHandle(forWritingTo: URL(filePath: $0)).truncate(atOffset: 4) }),
            (
                "it is replaced",
                {
                    try FileManager.default.removeItem(atPath: $0)
                    try Data("mine".utf8).write(to: URL(filePath: $0))
                }
            ),
            (
                "it becomes a link",
                {
                    try FileManager.default.moveItem(atPath: $0, toPath: "\($0).moved")
                    try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "\($0).moved")
                }
            ),
        ]
        for (name, change) in changes {
            let new = try add()
            #expect(edited.original(of: new) == "a.png")
            try change(directory.path(of: new))
            #expect(edited.original(of: new) == nil, "\(name)")
            #expect(throws: LinkError.self, "\(name)") { try edited.remove(new) }
            #expect(try files().contains(new), "\(name)")
        }
        for name in ["a.png", "missing.png", "", "..", ".a.png.edited"] {
            #expect(throws: LinkError.self, "\(name)") { try edited.remove(name) }
        }
        #expect(try files().contains("a.png"))
    }

    @Test(
        "a hidden file that says anything else counts for nothing",
        arguments: [
            "", "{}", "[]", "null", #"{"original":"a.png","size":3}"#, #"{"original":3,"size":3,"modified":0}"#,
            #"{"original":"a.png","size":-1,"modified":0}"#, String(repeating: " ", count: 5000),
        ])
    func records(text: String) throws {
        let new = try add()
        try directory.write(text, to: ".\(new).edited")
        #expect(edited.original(of: new) == nil)
        #expect(edited.versions(of: "a.png") == [])
        #expect(throws: LinkError.self) { try edited.remove(new) }
    }

    @Test(
        "a hidden file cannot name what is no picture of the folder",
        arguments: ["../a", "a\n", ".a", "", "a/\u{301}b"])
    func originals(name: String) throws {
        let new = try add()
        let place = directory.path(of: ".\(new).edited")
        let record = try Payload(json: String(contentsOfFile: place, encoding: .utf8))
        var changed: EditedPictures.Record = try record.value()
        #expect(changed.original == "a.png")
        changed.original = name
        try directory.write(try changed.payload.json(), to: ".\(new).edited")
        #expect(edited.original(of: new) == nil)
        #expect(edited.versions(of: name) == [])
    }

    @Test("spellings of a name are two originals")
    func spellings() throws {
        let new = try add(from: "e\u{301}.png")
        #expect(edited.versions(of: "e\u{301}.png") == [new])
        #expect(edited.versions(of: "\u{E9}.png") == [])
        #expect(try edited.remove(new).utf8.elementsEqual("e\u{301}.png".utf8))
        #expect(try files() == ["a.png"])
    }

    @Test("what a host has left that ended meanwhile is removed, and nothing else")
    func leftovers() throws {
        let old = [".hslink-edit.1", ".hslink-edit.2"]
        for name in old + [".hslink-edit.new", ".other.part", ".gone.png.edited", ".edited"] {
            try directory.write("unfinished", to: name)
        }
        for name in old + [".other.part"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: directory.path(of: name))
        }
        let gone = try add()
        try FileManager.default.removeItem(atPath: directory.path(of: gone))
        let other = try edited.add([1], from: "a.png") { "b-\($0).png" }
        // What someone else has written stays.
        let expected = [
            ".\(other).edited", other, "a.png", ".gone.png.edited", ".edited", ".hslink-edit.new", ".other.part",
        ]
        #expect(Set(try files()) == Set(expected))
    }

    @Test("there is a limit on edited pictures, and deleting makes room")
    func limit() throws {
        let names = try (0..<EditedPictures.most).map { _ in try add() }
        #expect(Set(names).count == EditedPictures.most)
        let full = #expect(throws: LinkError.self) { try add() }
        #expect(full?.message.contains("Delete some of them first") == true)
        _ = try edited.remove(names[0])
        #expect(try add() == names[0])
        try FileManager.default.removeItem(atPath: directory.path(of: names[1]))
        #expect(try add() == names[1])
    }

    @Test("what cannot be written leaves nothing, and the reason does not contain the folder")
    func unwritable() throws {
        for folder in ["missing", "a.png"] {
            let edited = EditedPictures(folder: directory.path(of: folder))
            let error = #expect(throws: LinkError.self) { try edited.add([1], from: "a.png") { "a-\($0).png" } }
            #expect(error?.message.contains("cannot be written") == true)
            #expect("\(String(describing: error))".contains(directory.path) == false)
        }
        // The hidden file cannot be put in its place, because there is a folder.
        try directory.makeDirectory(".a-1.png.edited")
        try directory.write("in it", to: ".a-1.png.edited/file")
        #expect(throws: LinkError.self) { try add() }
        #expect(try files() == [".a-1.png.edited", "a.png"])
    }
}
