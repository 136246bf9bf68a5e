import Testing

@Suite("Where errors in generated code are reported")
struct AuthorLineTests {
    private func check(_ source: String, _ expected: [String]) {
        let expansion = Expansion(of: source)
        #expect(expansion.diagnostics == [])
        #expect(expansion.authorLines == expected)
    }

    @Test("at the parameter and the result whose type may be unable to travel")
    func selectors() {
        check(
            """
            @LinkClass final class Video {
                @Selector func probe(
                    path: String,
                    film: Film,
                    cut: Cut = .none
                )
                    -> Info { }
                @Selector func plain(names: [String: Int]) -> Int? { nil }
            }
            """,
            [
                "4: let _argument1: Film = try ComponentKit.__LinkCoding.value("
                    + "\"film\", in: _payload, as: (Film).self)",
                "5: if let _given = try ComponentKit.__LinkCoding.valueIfPresent("
                    + "\"cut\", in: _payload, as: (Cut).self) {",
                "6: _argument2 = _given", "7: } else {", "8: _argument2 = .none", "9: }",
                "7: return try ComponentKit.__LinkCoding.payload(of: _result, for: _call)",
            ])
    }

    @Test("at the property of a model")
    func properties() {
        check(
            """
            @Model struct Info {
                var id: Int
                var kind: Kind
                var next: Date?
            }
            """,
            [
                "3: modelSize.add(self.kind)", "4: modelSize.add(self.next)",
                "3: modelWriter.add(\"kind\", self.kind)", "4: modelWriter.add(\"next\", self.next)",
                "3: self.kind = try modelReader.value(\"kind\", in: payload, as: (Kind).self)",
                "4: self.next = try modelReader.value(\"next\", in: payload, as: (Date?).self)",
            ])
    }

    @Test("at the associated value of a model")
    func cases() {
        check(
            """
            @Model enum Shape {
                case empty, square(Double)
                case named(String, Kind)
            }
            """,
            [
                "3: ComponentKit.Payload(__fields: (\"named\", ComponentKit.Payload(__fields: "
                    + "(\"_0\", ComponentKit.__ModelCoding.payload(value0)), "
                    + "(\"_1\", ComponentKit.__ModelCoding.payload(value1)))))",
                "3: .named(try ComponentKit.__ModelCoding.value(\"_0\", in: values, as: (String).self), "
                    + "try ComponentKit.__ModelCoding.value(\"_1\", in: values, as: (Kind).self))",
            ])
    }

    @Test("at the parameter and the result of a function of a service, in its client and in its table")
    func services() {
        check(
            """
            @LinkService("com.example.video/1") protocol Videos: Sendable {
                func probe(
                    film: Film) async throws
                func info() async throws -> Info
            }
            """,
            [
                "3: _ = try await self.__endpoint.call(0, ComponentKit.Payload(__fields: (\"film\", "
                    + "try ComponentKit.__LinkCoding.payload(of: `film`, for: self.__endpoint))))",
                "4: try ComponentKit.__LinkCoding.value(of: try await self.__endpoint.call(1, "
                    + "ComponentKit.Payload.null), as: (Info).self)",
                "3: let _argument0: Film = try ComponentKit.__LinkCoding.value("
                    + "\"film\", in: _payload, as: (Film).self)",
                "4: return try ComponentKit.__LinkCoding.payload(of: _result, for: _call)",
            ])
    }

    @Test("at the placeholder of a route")
    func routes() {
        check(
            """
            @LinkClass final class Video {
                @Route("/a/:kind")
                func open(id: Int = 1,
                          kind: Kind) {}
            }
            """,
            [
                "4: let _argument1: Kind = try ComponentKit.__LinkCoding.value("
                    + "\"kind\", in: _payload, as: (Kind).self)",
                "4: ComponentKit.__RouteBuilder.requireText((Kind).self)",
            ])
    }
}
