import Foundation
import Testing

@testable import ComponentHost

@Suite("The table of names")
struct NameTableTests {
    @Test("every name is found, and no other", arguments: [0, 1, 2, 3, 7, 8, 9, 100, 5000])
    func found(count: Int) {
        // Names of every length, with common beginnings.
        let names = (0..<count).map { "\(String(repeating: "a", count: $0 % 40))\($0)" }
        let table = NameTable(names.enumerated().map { ($1, UInt($0 + 1)) })
        for (index, name) in names.enumerated() { #expect(table.find(name) == UInt(index + 1)) }
        for index in 0..<max(count, 10) { #expect(table.find("b\(index)") == 0) }
        #expect(table.find("") == 0)
    }

    @Test("names that differ in one byte are distinguished", arguments: 1...24)
    func oneByte(length: Int) {
        let names = (0..<length).map { place in
            String(decoding: (0..<length).map { UInt8($0 == place ? 98 : 97) }, as: UTF8.self)
        }
        let table = NameTable(names.enumerated().map { ($1, UInt($0 + 1)) })
        for (index, name) in names.enumerated() { #expect(table.find(name) == UInt(index + 1)) }
        #expect(table.find(String(repeating: "a", count: length)) == 0)
    }

    @Test("the empty name, zero bytes and text of any script are names")
    func odd() {
        let names = ["", "\u{0}", "\u{0}\u{0}", "Grüße", "画像", "🙂", "e\u{301}", "é"]
        let table = NameTable(names.enumerated().map { ($1, UInt($0 + 1)) })
        for (index, name) in names.enumerated() { #expect(table.find(name) == UInt(index + 1)) }
        #expect(unsafe table.find(UnsafeRawBufferPointer(start: nil, count: 0)) == 1)
    }

    @Test("the first of two entries with one name counts")
    func twice() {
        let table = NameTable([("a", 1), ("b", 2), ("a", 3)])
        #expect(table.find("a") == 1)
        #expect(table.find("b") == 2)
    }
}
