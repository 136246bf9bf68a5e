import TestSupport
import Testing

@testable import ModelDrift

/// Texts with every construct that the readers know. A space is one character, and a string has none.
private enum Sample {
    static let swift = """
        import Foundation
        public struct A_User : Codable { @W var a : Int = 10 , b : [String:A_Address]? = nil ; let ( c , d ) : ( Int , Date )
        var e = "x(y){z}" { didSet { f ( ) } } ; var g : ( Int ) -> Void { { _ in } }
        static var h = 1 ; func i ( ) -> Int { var j = 2 ; return j } ; enum Kind : Int { case one , two = 5 , three }
        enum CodingKeys : String , CodingKey { case a = "aa" , b } ; indirect enum Tree { case leaf ( x : Int , Tree ) } }
        extension A_User { final class Deep : Base { var k : Optional<Int> } }
        typealias A_ID = Array<Int>
        """
    static let header = """
        NS_ASSUME_NONNULL_BEGIN @class B ; @protocol P < Q > @property int a ; @end
        typedef NS_ENUM ( NSInteger , A_State ) { A_StateOff = 1 << 2 , A_StateOn } ;
        typedef NSString * A_Name ; @interface A_User < T > : Base < P , Q > { @public int a ; NSString * _b , * _c ; }
        @property ( nonatomic , copy , nullable ) NSArray < NSDictionary < NSString * , id > * > * d ;
        @property ( getter = isOn ) BOOL on API_AVAILABLE ( ios ( 9 ) ) ; @property void ( ^ e ) ( int , id ) ;
        - ( void ) f : ( int ) g ; @end @interface A_User ( ) @property unsigned long h ; @end NS_ASSUME_NONNULL_END
        """
}

@Suite("Reading any text")
struct StabilityTests {
    /// Returns the text with other space between its words.
    private func reformatted(_ text: String, with spaces: [String], _ generator: inout SplitMix64) -> String {
        var result = ""
        for character in text {
            guard character == " " || character == "\n" else {
                result.append(character)
                continue
            }
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                result += spaces.randomElement(using: &generator) ?? " "
            }
            // A line stays a line.
            result.append(character)
        }
        return result
    }

    @Test("space and comments do not change what is read from Swift", arguments: 0..<60)
    func swiftSpace(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let expected = readSwift(Sample.swift).outline
        #expect(expected.count > 12)
        #expect(readSwift(Sample.swift).problems.map(\.location) == [])
        let spaces = [" ", "\t", "  ", "/* a { ( \" */", " /* b /* c */ } */ ", "/**/"]
        let text = reformatted(Sample.swift, with: spaces, &generator)
        #expect(readSwift(text).outline == expected, "\(text)")
    }

    @Test("space and comments do not change what is read from a header", arguments: 0..<60)
    func headerSpace(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let expected = readHeader(Array(Sample.header.utf8)).outline
        #expect(expected.count > 8)
        let spaces = [
            " ", "\t", "\n", "\r\n", "/* a { ( \" ; */", "// b @end ; }\n", "\n#define C @end ; \\\n }\n", "\\\n",
        ]
        let text = reformatted(Sample.header, with: spaces, &generator)
        #expect(readHeader(Array(text.utf8)).outline == expected, "\(text)")
    }

    @Test("a header that is cut off anywhere is read to its end")
    func cutHeaders() {
        let bytes = Array(Sample.header.utf8)
        for count in bytes.indices { expectPlaces(of: readHeader(Array(bytes[..<count])), in: count) }
    }

    @Test("a damaged header is read to its end", arguments: 0..<400)
    func damagedHeaders(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var bytes = Array(Sample.header.utf8)
        let pieces = [
            "@end", "@interface ", "@property ", "{", "}", "(", ")", "<", ";", "/*", "\"", "#if 0\n", "typedef ",
            "\u{0}", ",",
        ]
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &generator) ?? "").utf8), at: place)
            default:
                let end = min(bytes.count, place + Int.random(in: 0...80, using: &generator))
                bytes.insert(
                    contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0..<bytes.count, using: &generator))
            }
        }
        expectPlaces(of: readHeader(bytes), in: bytes.count)
    }

    @Test("a damaged Swift file is read to its end", arguments: 0..<60)
    func damagedSwift(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var characters = Array(Sample.swift.utf8)
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let place = Int.random(in: 0..<characters.count, using: &generator)
            characters[place] = Array("{}()<>\"=,:; @#x1".utf8).randomElement(using: &generator) ?? 0
        }
        expectPlaces(of: readSwift(String(decoding: characters, as: UTF8.self)), in: characters.count)
    }

    private func expectPlaces(of contents: SourceContents, in count: Int) {
        let places =
            contents.models.flatMap { [$0.location] + $0.members.map(\.location) } + contents.problems.map(\.location)
        #expect(places.allSatisfy { $0.line >= 1 && $0.column >= 1 && $0.line <= count + 1 && $0.column <= count + 1 })
    }

    @Test(
        "a long row of brackets is found before the parser overflows the stack of a main thread",
        arguments: [
            "[", "(", "{", "A<", "[A<(", "\"\\(", "#if a\n", "class A { ", "A<() -> ", "#\"\\#(", "/* */ [\n",
            "[A: (B<",
        ])
    func brackets(unit: String) async throws {
        let problems = try await onOwnThread {
            ["var a: ", "struct A { var a = ", ""].map { head in
                readSwift(head + String(repeating: unit, count: 100_000)).problems.map(\.message)
            }
        }
        #expect(problems == Array(repeating: ["not read: nested deeper than 256 levels"], count: 3))
    }

    @Test("a long row of prefixes fits the large stack", arguments: ["try ", "copy ", "() -> "])
    func prefixes(unit: String) {
        let outline = withLargeStacks(1) { _ in
            let head = unit == "() -> " ? "struct A { var a: " : "struct A { var a = "
            return readSwift(head + String(repeating: unit, count: 20_000) + "B }").outline
        }[0]
        #expect(outline.first == "a struct A [] -")
        #expect(outline.count == 2)
    }

    @Test("aliases that stand for a type of enormous size, or for each other, do not stop the check")
    func aliases() throws {
        let aliases = (0..<40).map { "typealias T\($0) = [T\($0 + 1): T\($0 + 1)]" }.joined(separator: "\n")
        let found = try check([
            "A.swift": "\(aliases)\ntypealias T40 = Int\ntypealias C = D\ntypealias D = C",
            "B.swift": "struct A_X { var a: T0; var b: C }\nstruct B_X { var a: T0; var b: D }",
        ])
        #expect(found.filter { !$0.contains("note") }.allSatisfy { $0.contains("B_X.b is D, but C in A_X") })
    }

    @Test("a path of very many names does not overflow the stack of a main thread", arguments: [1000, 20_000])
    func longPath(count: Int) async throws {
        let path = String(repeating: ".A", count: count)
        let found = try await onOwnThread {
            try check(["A.swift": "extension A\(path) { struct B { var a: Int } }\nstruct B_X { var a: A\(path) }"])
        }
        #expect(found == [])
    }

    @Test(
        "a type with very many members in another order is read and compared",
        arguments: [
            ("swift", "enum A_E: Int {", "case %", "}"), ("swift", "struct A_E {", "var %: Int", "}"),
            ("swift", "struct A_E { var", "%,", "last: Int }"),
            ("h", "@interface A_E", "@property int %;", "@end"),
            ("h", "typedef NS_ENUM(int, A_E) {", "%,", "};"),
        ])
    func manyMembers(type: String, head: String, member: String, tail: String) throws {
        func text(_ numbers: [Int], _ head: String) -> String {
            let lines = numbers.map { member.replacing("%", with: "name\($0)") }
            return ([head] + lines + [tail]).joined(separator: "\n")
        }
        let numbers = Array(0..<3000)
        let found = try check([
            "A.\(type)": text(numbers, head),
            "B.\(type)": text(numbers.reversed(), head.replacing("A_E", with: "B_E")),
        ])
        #expect(found.count { $0.contains(" comes ") } == numbers.count - 1)
    }

    @Test(
        "only brackets that are open at once are nested",
        arguments: [
            (String(repeating: "let a = [f(1 < 2)]\n", count: 2000), false),
            ("let a = [" + String(repeating: "0..<1, ", count: 2000) + "]", false),
            ("let a = [" + String(repeating: "1 << 2, ", count: 2000) + "]", false),
            (String(repeating: "if a < b { }\n", count: 2000), false),
            (String(repeating: "let a = \"{ [ ( \\(b(\"(\")) \\\" (\"\n", count: 2000), false),
            (String(repeating: "// [ {\n/* ( /* [ */ */ let a = #\"\"\"\n { \\( \"\"\"#\n", count: 2000), false),
            (String(repeating: "#if a\nlet a = 1\n#endif\n", count: 2000), false),
            (String(repeating: "let a = /[(]/\nfunc b() { let c = /[(]/ }\n", count: 100), false),
            (String(repeating: "{", count: 300) + String(repeating: "}", count: 300), true),
            (String(repeating: "A<", count: 300), true),
        ])
    func nesting(text: String, isDeep: Bool) {
        let source = SourceText(file: "A.swift", bytes: Array(text.utf8))
        #expect((Nesting.offset(in: source, deeperThan: 256) != nil) == isDeep)
    }
}
