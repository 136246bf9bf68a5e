import Testing

@Suite("What @LinkClass expands to")
struct LinkClassExpansionTests {
    @Test("a table of rows that decode by name, and an initialiser")
    func table() {
        let expansion = Expansion(
            of: """
                /// Films in files. More.
                @LinkClass("VideoLink", instances: .perCall)
                final class Video {
                    /// Looks into
                    /// a film.
                    @Selector func probe(path: String, at limit: Int = 3) async throws -> VideoInfo { fatalError() }
                    @Selector(.quick) static func formats() -> [String] { [] }
                    @Selector("log") @MainActor func write(_ line: String?) {}
                    func notCalled() {}
                }
                """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.code == """
                /// Films in files. More.
                final class Video {
                    /// Looks into
                    /// a film.
                    func probe(path: String, at limit: Int = 3) async throws -> VideoInfo { fatalError() }
                    static func formats() -> [String] { [] }
                    @MainActor func write(_ line: String?) {}
                    func notCalled() {}
                    static var methods: [ComponentKit.LinkMethod<Video>] {
                        var _rows: [ComponentKit.LinkMethod<Video>] = []
                        _rows.append(.asyncMethod("probe") { (_target: Video, _payload: ComponentKit.Payload, _call: ComponentKit.AsyncCallContext) async throws -> ComponentKit.Payload in
                            let _argument0: String = try ComponentKit.__ModelCoding.value("path", in: _payload, as: (String).self)
                            let _argument1: Int
                            if let _given = try ComponentKit.__LinkCoding.valueIfPresent("at", in: _payload, as: (Int).self) {
                                _argument1 = _given
                            } else {
                                _argument1 = 3
                            }
                            let _result: VideoInfo = try await _target.probe(path: _argument0, at: _argument1)
                            return try ComponentKit.__LinkCoding.payload(of: _result, for: _call)
                        })
                        _rows.append(.classMethod("formats", quick: true) { (_payload: borrowing ComponentKit.PayloadView, _call: borrowing ComponentKit.CallContext) throws -> ComponentKit.Payload in
                            let _result: [String] = Video.formats()
                            return ComponentKit.__ModelCoding.payload(_result)
                        })
                        _rows.append(.mainActorMethod("log") { @MainActor (_target: Video, _payload: ComponentKit.Payload, _call: ComponentKit.AsyncCallContext) async throws -> ComponentKit.Payload in
                            let _argument0: String? = try ComponentKit.__ModelCoding.value("line", in: _payload, as: (String?).self)
                            _target.write(_argument0)
                            return .null
                        })
                        return _rows
                    }
                    init(_ context: ComponentKit.ComponentContext) {}
                }
                extension Video: ComponentKit.LinkClass {}
                """)
        #expect(
            expansion.notes == [
                #"{"module":"Video","name":"VideoLink","instances":"perCall","selectors":["#
                    + #"{"name":"probe","parameters":{"path":"String","at":"Int = 3"},"result":"VideoInfo","async":true,"#
                    + #""summary":"Looks into a film."},{"name":"formats","kind":"class","result":"[String]","#
                    + #""quick":true},{"name":"log","parameters":{"line":"String?"},"async":true,"mainActor":true}],"#
                    + #""summary":"Films in files."}"#
            ])
    }

    @Test("handwritten rows are added to the table and to the note")
    func rows() {
        let expansion = Expansion(
            of: """
                @LinkClass final class Video {
                    @Selector func probe() {}
                    static let rows: [LinkMethod<Video>] = [
                        .method("read", quick: true) { _, payload in try payload.copy() },
                        .asyncClassMethod("fetch") { payload in payload },
                        LinkMethod<Video>.mainActorMethod("show") { _, _ in },
                        .deferredMethod("play") { _, _, reply in reply.succeed(.null) },
                    ]
                }
                """)
        #expect(expansion.diagnostics == [])
        #expect(expansion.code.contains("        _rows += rows\n        return _rows"))
        #expect(
            expansion.notes == [
                #"{"module":"Video","name":"Video","selectors":[{"name":"probe"},{"name":"read","quick":true},"#
                    + #"{"name":"fetch","kind":"class","async":true},{"name":"show","async":true,"mainActor":true},"#
                    + #"{"name":"play"}]}"#
            ])
    }

    @Test(
        "rows that the macro cannot read are refused at their position",
        arguments: [
            (
                "makeRows()",
                "3:44 expected an array literal such as [.method(\"…\") { … }]: a macro reads source code, not values"
            ),
            (
                "[.method(name) { _, _ in }]",
                "3:53 expected a plain string literal: a macro reads source code, not values"
            ),
            (
                "[row]",
                "3:45 expected a row such as .method(\"name\") { … }, made by one of method, classMethod, asyncMethod, asyncClassMethod, mainActorMethod, mainActorClassMethod, deferredMethod"
            ),
            (
                "[.method(\"read\", quick: isQuick) { _, _ in }]",
                "3:68 expected true or false: a macro reads source code, not values"
            ),
            (
                "[.method(\"probe\") { _, _ in }]",
                "3:53 duplicate selector \"probe\": callers find a selector by its name alone, so it can't be overloaded; rename one of the functions, or change its selector with @Selector(\"…\")"
            ),
        ])
    func badRows(_ value: String, _ diagnostic: String) {
        let expansion = Expansion(
            of: """
                @LinkClass final class Video {
                    @Selector func probe() {}
                    static let rows: [LinkMethod<Video>] = \(value)
                }
                """)
        #expect(expansion.diagnostics == [diagnostic])
    }

    struct Initializer: Sendable {
        var superclass = ""
        let members: String
        let expected: String?
    }

    @Test(
        "an initialiser for hosts, unless the class has its own",
        arguments: [
            Initializer(members: "", expected: "init(_ context: ComponentKit.ComponentContext) {}"),
            Initializer(
                members: "init() {}",
                expected: "convenience init(_ context: ComponentKit.ComponentContext) throws { self.init() }"),
            Initializer(
                members: "init(name: String = \"a\") throws {}",
                expected: "convenience init(_ context: ComponentKit.ComponentContext) throws { try self.init() }"),
            Initializer(members: "init(_ context: ComponentContext) {}", expected: nil),
            Initializer(
                members: "init(_ context: ComponentKit.ComponentContext, a: Int = 3, _ b: [Int] = [1, 2]) throws {}",
                expected: "convenience init(_ context: ComponentKit.ComponentContext) throws { "
                    + "try self.init(context, a: 3, [1, 2]) }"),
            Initializer(superclass: ": HSLinkClass", members: "", expected: nil),
            Initializer(
                superclass: ": ComponentKit.HSLinkClass, @unchecked Sendable",
                members: "required init(link: Link) { super.init(link: link) }", expected: nil),
            // The compiler reports that the class does not conform.
        ])
    func initializers(_ row: Initializer) {
        let expansion = Expansion(
            of: "@LinkClass final class Video\(row.superclass) { @Selector func a() {}; \(row.members) }")
        let words = expansion.code.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(expansion.diagnostics == [])
        if let expected = row.expected {
            #expect(words.contains(expected))
        } else {
            #expect(
                !words.contains("{ self.init() }") && !words.contains("(_ context: ComponentKit.ComponentContext) {}"))
        }
    }

    @Test("methods of an actor are asynchronous for callers")
    func actors() {
        let expansion = Expansion(
            of: """
                @LinkClass actor Counter {
                    @Selector func next() -> Int { 1 }
                    @Selector nonisolated func nine() -> Int { 9 }
                }
                """)
        #expect(expansion.diagnostics == [])
        #expect(expansion.code.contains(".asyncMethod(\"next\")"))
        #expect(expansion.code.contains("let _result: Int = await _target.next()"))
        #expect(expansion.code.contains(".method(\"nine\")"))
        #expect(expansion.code.contains("let _result: Int = _target.nine()"))
    }

    @Test("provided services add their _rows and names")
    func services() {
        let expansion = Expansion(
            of: "@LinkClass(provides: (any A).self, M.B.self) final class Video { @Selector func a() {} }")
        #expect(expansion.diagnostics == [])
        #expect(expansion.code.contains("_rows.__add(ATable<Video>.methods)"))
        #expect(expansion.code.contains("_rows.__add(M.BTable<Video>.methods)"))
        #expect(
            expansion.code.contains(
                "static var services: [String] { [AClient.__service.name, M.BClient.__service.name] }"))
        #expect(
            expansion.notes == [
                #"{"module":"Video","name":"Video","provides":["A","M.B"],"selectors":[{"name":"a"}]}"#
            ])
    }

    @Test("public declarations stay public")
    func access() {
        let expansion = Expansion(of: "@LinkClass public final class Video { @Selector func a() {} }")
        #expect(expansion.code.contains("public static var methods"))
        #expect(expansion.code.contains("public init(_ context: ComponentKit.ComponentContext) {}"))
    }
}
