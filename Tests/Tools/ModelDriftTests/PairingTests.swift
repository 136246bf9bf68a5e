import Testing

@testable import ModelDrift

@Suite("Which types are one model")
struct PairingTests {
    @Test(
        "the prefix of a name ends at its first underscore",
        arguments: [
            ("A_SFUserInfo", "SFUserInfo", true), ("SFUserInfo", "SFUserInfo", false), ("_User", "_User", false),
            ("A_B_User", "B_User", true), ("A_", "A_", false), ("A_1", "A_1", false), ("a_b", "b", true),
            ("ShopUser", "User", true), ("Shopping", "Shopping", false), ("Shop_User", "User", true),
        ])
    func names(name: String, model: String, hasPrefix: Bool) {
        let found = ModelName(prefixes: ["Shop"]).model(of: name)
        #expect(found == (model, hasPrefix))
    }

    @Test(
        "these are copies, so that a difference is reported",
        arguments: [
            ("struct A_User { var a: Int }", "struct B_User { var b: Int }"),
            ("struct User { var a: Int }", "struct B_User { var b: Int }"),
            ("struct A_User { struct C { var a: Int } }", "extension B_User { struct C { var b: Int } }"),
            ("struct User { var a: Int }", "// hslink-models: copy of User\nstruct Person { var b: Int }"),
            ("struct A_User { var a: Int }", "/// hslink-models: copy of B_User: why\n\nstruct Person { var b: Int }"),
            ("struct A_User { var a: Int }", "struct Person { // hslink-models: copy of User\n var b: Int }"),
            ("struct ShopUser { var a: Int }", "struct User { var b: Int }"),
            ("#if DEBUG\nstruct A_User { var a: Int }\n#endif", "actor B_User { var b: Int }"),
        ])
    func copies(first: String, second: String) throws {
        #expect(try !check(["A.swift": first, "B.swift": second], prefixes: ["Shop"]).isEmpty)
    }

    @Test(
        "these are not",
        arguments: [
            ("struct User { var a: Int }", "struct User { var b: Int }"),
            ("struct A_User { var a: Int }", "struct B_Person { var b: Int }"),
            ("struct A_User { var a: Int }", "// hslink-models: not a copy\nstruct B_User { var b: Int }"),
            (
                "// hslink-models: not a copy - why\nstruct A_U { struct C { var a: Int } }",
                "struct B_U { struct C {} }"
            ),
            ("struct C { struct User { var a: Int } }", "struct B_User { var b: Int }"),
            ("func f() { struct A_User { var a: Int } }", "struct B_User { var b: Int }"),
            ("protocol A_User { var a: Int { get } }", "struct B_User { var b: Int }"),
            ("struct ShipUser { var a: Int }", "struct User { var b: Int }"),
        ])
    func others(first: String, second: String) throws {
        #expect(try check(["A.swift": first, "B.swift": second], prefixes: ["Shop"]) == [])
    }

    @Test("the type without a prefix is the original, even if all others agree")
    func original() throws {
        let found = try check([
            "A.swift": "struct A_User { var a: Int }", "B.swift": "struct B_User { var a: Int }",
            "Z.swift": "struct User { var a: Int8 }",
        ])
        #expect(
            found == [
                "A.swift:1:21: A_User.a is Int, but Int8 in User (Z.swift:1)",
                "B.swift:1:21: B_User.a is Int, but Int8 in User (Z.swift:1)",
            ])
    }

    @Test("without an original, the majority is right")
    func majority() throws {
        let found = try check([
            "A.swift": "struct A_User { var a: Int8 }", "B.swift": "struct B_User { var a: Int }",
            "C.swift": "struct C_User { var a: Int }",
        ])
        #expect(found == ["A.swift:1:21: A_User.a is Int8, but Int in B_User (B.swift:1)"])
    }

    @Test("without a majority, the first copy stands for all, and a note says so")
    func tie() throws {
        let found = try check([
            "A.swift": "struct A_User { var a: Int8 }", "B.swift": "struct B_User { var a: Int }",
        ])
        let note =
            "User has no original and no majority among its 2 copies; they are compared with A_User, the first one"
        #expect(
            found == [
                "A.swift:1:8: note: \(note)", "B.swift:1:21: B_User.a is Int, but Int8 in A_User (A.swift:1)",
            ])
        #expect(try check(["A.swift": "struct A_User {}", "B.swift": "struct B_User {}"]) == [])
    }

    @Test("of several types without a prefix, the one that most copies agree with is the original")
    func originals() throws {
        let files = [
            "A.swift": "struct User { var a: Int }", "B.swift": "struct User { var a: Int8 }",
            "C.swift": "struct C_User { var a: Int8 }",
        ]
        #expect(try check(files) == ["A.swift:1:19: User.a is Int, but Int8 in User (B.swift:1)"])
        let tied = try check(files.merging(["C.swift": "struct C_User { var a: Int16 }"]) { $1 })
        #expect(
            tied == [
                "A.swift:1:8: note: User has 2 originals that differ, and no majority agrees with one of them; "
                    + "its copies are compared with this one, the first",
                "B.swift:1:19: User.a is Int8, but Int in User (A.swift:1)",
                "C.swift:1:21: C_User.a is Int16, but Int in User (A.swift:1)",
            ])
    }
}

@Suite("Marks")
struct MarkTests {
    private static let original = "struct User { var age: Int; var nick: String }"

    @Test(
        "a mark allows a difference, and says why in any words",
        arguments: [
            "struct B_User { var age: Int8 // hslink-models: differs\n var nick: String }",
            "struct B_User {\n /* hslink-models: differs */ var age: Int8; var nick: String }",
            "struct B_User {\n // A comment.\n // hslink-models: differs: a number, not a text\n @W var age: Int8\n var nick: String }",
            "// hslink-models: without nick: nobody sees it\nstruct B_User { var age: Int }",
            "// hslink-models: without age, nick — yet\n@A\nstruct B_User {}",
            "struct B_User { var age: Int; var nick: String; let more: Int // hslink-models: differs\n }",
            "// hslink-models: differs\nenum B_User {}",
            "/**\n * A user.\n * hslink-models: without nick: nobody sees it\n */\nstruct B_User { var age: Int }",
            "/* hslink-models: copy of User\r\n   hslink-models: without nick */\r\nstruct Person { var age: Int }",
        ])
    func allowed(copy: String) throws {
        #expect(try check(["A.swift": Self.original, "B.swift": copy]) == [])
    }

    @Test("a mark at the original allows the difference to all copies")
    func original() throws {
        let found = try check([
            "A.swift": """
            // hslink-models: without more
            struct User {
                var age: Int // hslink-models: differs
            }
            enum State {
                // hslink-models: differs
                case on
                case off
            }
            """,
            "B.swift": "struct B_User { var age: Int8; var more: Int }; enum B_State { case off }",
            "C.swift": "struct C_User {}",
        ])
        #expect(found == [])
    }

    @Test(
        "a mark that is wrong or has no effect is a warning",
        arguments: [
            ("struct B_User { var age: Int // hslink-models: differs\n var nick: String }", "1:30", "no effect"),
            ("// hslink-models: without nick\nstruct B_User { var age: Int; var nick: String }", "1:1", "no effect"),
            ("// hslink-models: copy of Usr\nstruct Person {}", "1:1", "there is no other copy of Usr"),
            ("// hslink-models: diffrs\nstruct B_User { var age: Int; var nick: String }", "1:1", "found 'diffrs'"),
            ("struct B_User { var age: Int // hslink-models: not a copy\n var nick: String }", "1:30", "'differs'"),
            (
                "/* A\n  hslink-models: diffrs */ struct B_User { var age: Int; var nick: String }", "2:3",
                "found 'diffrs'"
            ),
            ("// hslink-models: differs\nfunc f() {}", "1:1", "no type, property or case"),
            ("struct Person {\n // hslink-models: differs\n var age: Int }", "2:2", "no effect"),
        ])
    func wrong(copy: String, place: String, message: String) throws {
        let found = try check(["A.swift": Self.original, "B.swift": copy])
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix("B.swift:\(place): ") == true && found.first?.contains(message) == true, "\(found)")
    }

    @Test("a mark in a string is none")
    func string() throws {
        #expect(try check(["A.swift": "let a = \"// hslink-models: differs\""]) == [])
    }
}
