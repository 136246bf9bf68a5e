import ComponentKit
import Foundation
import Testing

@Suite("Codable values as payloads")
struct CodableTests {
    struct Person: Codable, Equatable {
        var name: String
        var born: Date
        var nick: String?
        var tags: [String]
        var pet: Pet?
        var friends: [Person]
        var scores: [String: Double]
    }

    enum Pet: Codable, Equatable {
        case dog(name: String, age: UInt8)
        case cat
    }

    /// Encodes itself as a list with a list in it, and as a map.
    struct TwoFaced: Encodable {
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            _ = list.nestedUnkeyedContainer()
            _ = encoder.container(keyedBy: Key.self)
        }

        enum Key: CodingKey { case a }
    }

    @Test("a value that encodes itself in two ways is an error")
    func twoFaced() {
        #expect(throws: EncodingError.self) { try PayloadEncoder().encode(TwoFaced()) }
    }

    enum Color: String, Codable { case red, green }

    class Base: Codable {
        var first = 1
    }

    final class Derived: Base {
        var second = "two"

        enum CodingKeys: CodingKey { case second }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            second = try container.decode(String.self, forKey: .second)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(second, forKey: .second)
            try super.encode(to: container.superEncoder())
        }
    }

    /// Nested containers of both kinds, written to in turns.
    struct Nested: Codable, Equatable {
        var pairs: [[Int]]

        init(pairs: [[Int]]) { self.pairs = pairs }

        enum CodingKeys: CodingKey { case inner, lists, count }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let inner = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
            let count = try inner.decode(Int.self, forKey: .count)
            var lists = try container.nestedUnkeyedContainer(forKey: .lists)
            #expect(lists.count == count)
            pairs = []
            while !lists.isAtEnd {
                var list = try lists.nestedUnkeyedContainer()
                var pair: [Int] = []
                while !list.isAtEnd {
                    if try list.decodeNil() { continue }
                    pair.append(try list.decode(Int.self))
                }
                pairs.append(pair)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            var inner = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
            var lists = container.nestedUnkeyedContainer(forKey: .lists)
            for pair in pairs {
                var list = lists.nestedUnkeyedContainer()
                for number in pair {
                    try list.encode(number)
                    try list.encodeNil()
                }
            }
            try inner.encode(pairs.count, forKey: .count)
        }
    }

    final class Tree: Codable, Equatable {
        let child: Tree?

        init(depth: Int) { child = depth > 1 ? Tree(depth: depth - 1) : nil }

        static func == (left: Tree, right: Tree) -> Bool { left.child == right.child }
    }

    @Test("a structure becomes a map without nil values, and makes a round trip")
    func structure() throws {
        let friend = Person(
            name: "Bo", born: Date(timeIntervalSince1970: 0.5), nick: nil, tags: [], pet: .cat, friends: [], scores: [:]
        )
        let person = Person(
            name: "Ada", born: Date(timeIntervalSince1970: -1), nick: "A", tags: ["x"], pet: .dog(name: "Rex", age: 3),
            friends: [friend], scores: ["b": 1, "a": 2.5])
        let payload = try PayloadEncoder().encode(person)
        #expect(
            payload == [
                "name": "Ada", "born": .date(Timestamp(seconds: -1)), "nick": "A", "tags": ["x"],
                "pet": ["dog": ["name": "Rex", "age": 3]],
                "friends": [
                    [
                        "name": "Bo", "born": .date(Timestamp(seconds: 0, nanoseconds: 500_000_000)), "tags": [],
                        "pet": ["cat": [:]], "friends": [], "scores": [:],
                    ]
                ],
                "scores": ["a": 2.5, "b": 1.0],
            ])
        #expect(try PayloadDecoder().decode(Person.self, from: payload) == person)
    }

    @Test("enums, dates, bytes, URLs and lists at the root")
    func roots() throws {
        let date = Date(timeIntervalSince1970: 3)
        #expect(try PayloadEncoder().encode(Color.red) == "red")
        #expect(try PayloadDecoder().decode(Color.self, from: "green") == .green)
        #expect(try PayloadEncoder().encode([date]) == [.date(Timestamp(seconds: 3))])
        #expect(try PayloadDecoder().decode(Date.self, from: .date(Timestamp(seconds: 3))) == date)
        #expect(try PayloadEncoder().encode(Data([1])) == .bytes([1]))
        #expect(try PayloadEncoder().encode([Color.red: 1]) == ["red", 1])
        #expect(try PayloadEncoder().encode(Color?.none) == nil)
        #expect(try PayloadDecoder().decode(Color?.self, from: nil) == nil)
        #expect(try PayloadDecoder().decode([Color?].self, from: ["red", nil]) == [.red, nil])
        #expect(try PayloadEncoder().encode([Pet.cat]) == [["cat": [:]]])
    }

    @Test("classes, nested containers, user info")
    func containers() throws {
        let derived = Derived()
        derived.first = 7
        let payload = try PayloadEncoder().encode(derived)
        #expect(payload == ["second": "two", "super": ["first": 7]])
        #expect(try PayloadDecoder().decode(Derived.self, from: payload).first == 7)
        let nested = Nested(pairs: [[1, 2], [], [3]])
        let form = try PayloadEncoder().encode(nested)
        #expect(form == ["inner": ["count": 3], "lists": [[1, nil, 2, nil], [], [3, nil]]])
        #expect(try PayloadDecoder().decode(Nested.self, from: form) == nested)
        struct Asking: Codable {
            static let key = CodingUserInfoKey(rawValue: "unit")
            var unit: String
            init() { unit = "" }
            init(from decoder: any Decoder) throws {
                unit = Asking.key.flatMap { decoder.userInfo[$0] as? String } ?? ""
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Asking.key.flatMap { encoder.userInfo[$0] as? String })
            }
        }
        var encoder = PayloadEncoder()
        var decoder = PayloadDecoder()
        if let key = Asking.key {
            encoder.userInfo = [key: "metre"]
            decoder.userInfo = [key: "mile"]
        }
        #expect(try encoder.encode(Asking()) == "metre")
        #expect(try decoder.decode(Asking.self, from: nil).unit == "mile")
    }

    @Test("the last of two values for one key counts; two containers at once are an error")
    func oddEncoders() throws {
        struct Twice: Encodable {
            enum Key: CodingKey { case a, b }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                try container.encode(2, forKey: .b)
                try container.encode(3, forKey: .a)
            }
        }
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(1)
                var list = encoder.unkeyedContainer()
                try list.encode(2)
            }
        }
        struct Nothing: Codable, Equatable {}
        #expect(try PayloadEncoder().encode(Twice()) == ["a": 3, "b": 2])
        #expect(throws: EncodingError.self) { try PayloadEncoder().encode(Both()) }
        #expect(throws: EncodingError.self) { try PayloadEncoder().encode([Both()]) }
        #expect(try PayloadEncoder().encode(Nothing()) == [:])
        #expect(try PayloadDecoder().decode(Nothing.self, from: [:]) == Nothing())
    }

    @Test("64 levels are the limit")
    func depth() throws {
        let deepest = try PayloadEncoder().encode(Tree(depth: 64))
        #expect(try PayloadDecoder().decode(Tree.self, from: deepest) == Tree(depth: 64))
        #expect(throws: EncodingError.self) { try PayloadEncoder().encode(Tree(depth: 65)) }
        #expect(throws: EncodingError.self) { try PayloadEncoder().encode(Tree(depth: 5000)) }
        var hostile: Payload = [:]
        for _ in 0..<5000 { hostile = ["child": hostile] }
        #expect(throws: DecodingError.self) { try PayloadDecoder().decode(Tree.self, from: hostile) }
    }

    @Test(
        "the error has the coding path",
        arguments: [
            ([:], "", "keyNotFound name"),
            (["name": nil], "name", "valueNotFound"),
            (["name": 1], "name", "typeMismatch"),
            (["name": "x", "born": "y"], "born", "typeMismatch"),
            (["name": "x", "born": .date(Timestamp(seconds: 0)), "tags": ["a", 1]], "tags.Index 1", "typeMismatch"),
            (
                [
                    "name": "x", "born": .date(Timestamp(seconds: 0)), "tags": [],
                    "pet": ["dog": ["name": "Rex", "age": 256]],
                ], "pet.dog.age", "typeMismatch"
            ),
            (
                ["name": "x", "born": .date(Timestamp(seconds: 0)), "tags": [], "friends": [["name": "y"]]],
                "friends.Index 0", "keyNotFound born"
            ),
            (3, "", "typeMismatch"),
        ] as [(Payload, String, String)])
    func errors(payload: Payload, path: String, kind: String) throws {
        do {
            let person = try PayloadDecoder().decode(Person.self, from: payload)
            Issue.record("not refused but \(person)")
        } catch let error as DecodingError {
            let (found, context) =
                switch error {
                case .keyNotFound(let key, let context): ("keyNotFound \(key.stringValue)", context)
                case .valueNotFound(_, let context): ("valueNotFound", context)
                case .typeMismatch(_, let context): ("typeMismatch", context)
                case .dataCorrupted(let context): ("dataCorrupted", context)
                @unknown default: ("unknown", DecodingError.Context(codingPath: [], debugDescription: ""))
                }
            #expect(found == kind)
            #expect(context.codingPath.map(\.stringValue).joined(separator: ".") == path)
        }
    }

    @Test("a map with many keys is read in little time for each")
    func manyKeys() throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("key \($0)", [Pet.cat]) })
        let payload = try PayloadEncoder().encode(many)
        #expect(try PayloadDecoder().decode([String: [Pet]].self, from: payload) == many)
    }
}
