import Testing

@Suite("What @LinkService and @Model expand to")
struct ContractExpansionTests {
    @Test("a client for callers, and a table for providers")
    func service() {
        let expansion = Expansion(
            of: """
                @LinkService("com.example.account/1")
                public protocol AccountService: Sendable {
                    func signIn(name: String, with session: Session) async throws -> User
                    func signOut() throws
                }
                """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.code == """
                public protocol AccountService: Sendable {
                    func signIn(name: String, with session: Session) async throws -> User
                    func signOut() throws
                }
                /// Calls the provider of ``AccountService``. Hosts and components create it with `service(_:)`.
                public struct AccountServiceClient: AccountService, ComponentKit.ServiceClient {
                    /// The description of the service.
                    public static var __service: ComponentKit.__ServiceDescription {
                        ComponentKit.__ServiceDescription(
                            name: "com.example.account/1", protocolName: "AccountService", selectors: ["signIn", "signOut"])
                    }
                    /// The endpoint that receives the calls.
                    public let __endpoint: ComponentKit.__ServiceEndpoint
                    /// Creates a client for an endpoint. Called by `service(_:)` of a host or a component.
                    public init(__endpoint endpoint: ComponentKit.__ServiceEndpoint) { self.__endpoint = endpoint }
                    public func signIn(name: String, with session: Session) async throws -> User {
                        try ComponentKit.__LinkCoding.value(of: try await self.__endpoint.call(0, ComponentKit.Payload(__fields: ("name", ComponentKit.__ModelCoding.payload(`name`)), ("with", try ComponentKit.__LinkCoding.payload(of: `session`, for: self.__endpoint)))), as: (User).self)
                    }
                    public func signOut() throws {
                        _ = try self.__endpoint.call(1, ComponentKit.Payload.null)
                    }
                    public func signOut() async throws {
                        _ = try await self.__endpoint.call(1, ComponentKit.Payload.null)
                    }
                }
                /// The rows of ``AccountService`` in the method table of a class that provides it.
                public enum AccountServiceTable<_Provider: AccountService & ComponentKit.LinkClass> {
                    /// One row for each function of the protocol.
                    public static var methods: [ComponentKit.LinkMethod<_Provider>] {
                        var _rows: [ComponentKit.LinkMethod<_Provider>] = []
                        _rows.append(.asyncMethod("signIn") { (_target: _Provider, _payload: ComponentKit.Payload, _call: ComponentKit.AsyncCallContext) async throws -> ComponentKit.Payload in
                            let _argument0: String = try ComponentKit.__ModelCoding.value("name", in: _payload, as: (String).self)
                            let _argument1: Session = try ComponentKit.__LinkCoding.value("with", in: _payload, as: (Session).self)
                            let _result: User = try await _target.signIn(name: _argument0, with: _argument1)
                            return try ComponentKit.__LinkCoding.payload(of: _result, for: _call)
                        })
                        _rows.append(.method("signOut") { (_target: _Provider, _payload: borrowing ComponentKit.PayloadView, _call: borrowing ComponentKit.CallContext) throws -> ComponentKit.Payload in
                            try _target.signOut()
                            return .null
                        })
                        return _rows
                    }
                }
                """)
        #expect(
            expansion.notes == [
                #"{"module":"Video","name":"com.example.account/1","protocol":"AccountService","selectors":["#
                    + #"{"name":"signIn","parameters":{"name":"String","with":"Session"},"result":"User","async":true},"#
                    + #"{"name":"signOut"}]}"#
            ])
    }

    @Test("a service with arguments requires an initialiser of its providers")
    func making() {
        let expansion = Expansion(
            of: "@LinkService(\"a/1\", arguments: Options.self) protocol P: Sendable { func a() throws }")
        #expect(expansion.diagnostics == [])
        #expect(expansion.code.contains("struct PClient: P, ComponentKit.ConfigurableServiceClient {"))
        #expect(expansion.code.contains("typealias ServiceArguments = Options"))
        #expect(expansion.code.contains("enum PTable<_Provider: PMaking & ComponentKit.LinkClass> {"))
        #expect(expansion.code.contains("try _Provider(_context, with: _payload.value(as: (Options).self))"))
        #expect(
            expansion.code.contains("init(_ context: ComponentKit.ComponentContext, with arguments: Options) throws"))
        #expect(expansion.notes.first?.contains(#""arguments":"Options""#) == true)
    }

    @Test("a service of class methods makes an instance for each call")
    func classMethods() {
        let expansion = Expansion(
            of: """
                @LinkService("a/1", kind: .class) protocol P: Sendable {
                    func a(b: Int) throws -> Int
                    @Selector(.strict) func c(e: Int?, for f: String) async throws
                    @MainActor func d() async throws
                }
                """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.code.contains(
                """
                        _rows.append(.classMethod("a") { (_payload: borrowing ComponentKit.PayloadView, _call: borrowing ComponentKit.CallContext) throws -> ComponentKit.Payload in
                            let _argument0: Int = try ComponentKit.__ModelCoding.value("b", in: _payload, as: (Int).self)
                            let _target = try _Provider.__instance(for: _call.context)
                            let _result: Int = try _target.a(b: _argument0)
                """))
        for line in [
            #"selectors: ["a", "c", "d"], kind: .class)"#,
            #"_rows.append(.asyncClassMethod("c") { (_payload: ComponentKit.Payload,"#,
            #"try ComponentKit.__ModelCoding.refuseKeys(besides: ["e", "for"], in: _payload)"#,
            #"_rows.append(.mainActorClassMethod("d") { @MainActor (_payload: ComponentKit.Payload,"#,
        ] {
            #expect(expansion.code.contains(line), "\(line)")
        }
        #expect(
            expansion.notes == [
                #"{"module":"Video","name":"a/1","protocol":"P","selectors":[{"name":"a","kind":"class","#
                    + #""parameters":{"b":"Int"},"result":"Int"},{"name":"c","kind":"class","#
                    + #""parameters":{"e":"Int?","for":"String"},"async":true},"#
                    + #"{"name":"d","kind":"class","async":true,"mainActor":true}]}"#
            ])
    }

    @Test("closures and services travel through separate functions")
    func references() {
        let expansion = Expansion(
            of: """
                @LinkService("a/1") protocol P: Sendable {
                    func a(done: @escaping @Sendable (Int) async throws -> Void, maybe: (@Sendable () async throws -> Int)?) async throws
                    func b(other: any Q) async throws -> any Q
                }
                """)
        #expect(expansion.diagnostics == [])
        for line in [
            #"("done", try ComponentKit.__LinkCoding.closure(`done`, for: self.__endpoint))"#,
            #"("maybe", try ComponentKit.__LinkCoding.closure(`maybe`, for: self.__endpoint))"#,
            #"let _argument0: @Sendable (Int) async throws -> Void = try ComponentKit.__LinkCoding.closure("done", in: _payload)"#,
            #"let _argument1: (@Sendable () async throws -> Int)? = try ComponentKit.__LinkCoding.closure("maybe", in: _payload)"#,
            #"("other", try ComponentKit.__LinkCoding.service(`other`, as: QClient.self, for: self.__endpoint))"#,
            #"let _argument0: any Q = try ComponentKit.__LinkCoding.service("other", in: _payload, as: QClient.self, for: _call)"#,
            #"return try ComponentKit.__LinkCoding.service(_result, as: QClient.self, for: _call)"#,
            #", as: QClient.self, for: self.__endpoint)"#,
        ] {
            #expect(expansion.code.contains(line), "\(line)")
        }
    }

    struct Model: Sendable, CustomTestStringConvertible {
        let source: String
        let note: String
        let lines: [String]

        var testDescription: String { source }
    }

    private static let long = String(repeating: "x", count: 80)

    @Test(
        "models",
        arguments: [
            Model(
                source:
                    "@Model struct User { let a = 1; var name: String; var b, c: Int?; var n: Int = 3 { didSet {} }; "
                    + "var d: Int { 4 }; static var e: Int = 5; var `class`: [String: Int] = [:] }",
                note: #"{"module":"Video","name":"User","fields":{"name":"String","b":"Int?","c":"Int?","n":"Int = 3","#
                    + #""class":"[String: Int] = [:]"}}"#,
                lines: [
                    #"self.name = try modelReader.value("name", in: payload, as: (String).self)"#,
                    #"if let given = try modelReader.valueIfPresent("n", in: payload, as: (Int).self) { self.n = given }"#,
                    "modelSize.add(self.`class`)",
                    #"modelWriter.add("class", self.`class`)"#,
                ]),
            Model(
                source:
                    "@Model(.sparse) struct Row { var name: String; var nick: String?; var kind: Kind = .a; "
                    + "var limit: Int? = 3; let tags: [String] }",
                note: #"{"module":"Video","name":"Row","fields":{"name":"String","nick":"String?","kind":"Kind = .a","#
                    + #""limit":"Int? = 3","tags":"[String]"},"sparse":true}"#,
                lines: [
                    "modelSize.add(self.nick)",
                    "modelWriter.add(\"name\", self.name)\n",
                    #"modelWriter.add("nick", self.nick, unless: nil)"#,
                    #"modelWriter.add("kind", self.kind, unless: .a)"#,
                    // Nil is not what a missing key means.
                    #"modelWriter.add("limit", self.limit, unless: 3)"#,
                    "modelWriter.add(\"tags\", self.tags)\n",
                ]),
            // The host would take two defaults for the same if they were written in part only.
            Model(
                source: "@Model(.sparse) struct Row { var text: String = \"\(long)a\" }",
                note: #"{"module":"Video","name":"Row","fields":{"text":"String = \"\#(long)a\""},"sparse":true}"#,
                lines: [#"modelWriter.add("text", self.text, unless: "\#(long)a")"#]),
            Model(
                source: "@Model enum Shape { case circle(radius: Double), named(String, Int), none }",
                note: #"{"module":"Video","name":"Shape","cases":{"circle":{"radius":"Double"},"#
                    + #""named":{"_0":"String","_1":"Int"},"none":{}}}"#,
                lines: [
                    #"case .none: ComponentKit.Payload.string("none")"#,
                    #"case "none": self = .none"#,
                    #".circle(radius: try ComponentKit.__ModelCoding.value("radius", in: values, as: (Double).self))"#,
                ]),
            Model(
                source: "@Model public enum Kind: String { case a, b = \"x\" }",
                note: #"{"module":"Video","name":"Kind","raw":"String","cases":{"a":"a","b":"x"}}"#,
                lines: ["public var payload: ComponentKit.Payload { ComponentKit.__ModelCoding.payload(rawValue) }"]),
            Model(
                source: "@Model enum Step: Int { case a, b = 1_0, c, d = -3, e }",
                note: #"{"module":"Video","name":"Step","raw":"Int","#
                    + #""cases":{"a":"0","b":"10","c":"11","d":"-3","e":"-2"}}"#,
                lines: ["self = try ComponentKit.__ModelCoding.rawCase(of: Step.self, payload)"]),
            Model(
                source: "enum Outer { @Model struct Failure: Error {} }",
                note: #"{"module":"Video","name":"Outer.Failure","fields":{},"error":true}"#,
                lines: [#"static var modelName: String { "Video.Outer.Failure" }"#]),
        ])
    func models(_ row: Model) {
        let expansion = Expansion(of: row.source)
        #expect(expansion.diagnostics == [])
        #expect(expansion.notes == [row.note])
        for line in row.lines { #expect(expansion.code.contains(line), "\(line)") }
    }

    @Test("a function of a service may have a selector of another name")
    func selector() {
        let expansion = Expansion(
            of: """
                @LinkService("video/1") protocol Video: Sendable {
                    @Selector("open") func open(id: Int) throws
                    @Selector("openURL") func open(url: String) throws
                }
                """)
        #expect(expansion.diagnostics == [])
        #expect(expansion.source.contains(#"selectors: ["open", "openURL"]"#))
    }

    @Test(
        "a public struct without an initialiser gets a memberwise one",
        arguments: [
            (
                "@Model public struct User { public var name: String; public var nick: String?; public let a: Int?; "
                    + "public var limit: Int = -10; public var kind: Kind = .a; public var words: [String: Int] = [\"a\": 1] }",
                "public init(name: String, nick: String? = nil, a: Int?, limit: Int = -10, kind: Kind = .a, "
                    + "words: [String: Int] = [\"a\": 1]) {"
            ),
            // The default may use names that callers cannot see.
            (
                "@Model package struct User { package var name: String; package var limit: Int = standardLimit }",
                "package init(name: String) {"
            ),
            ("@Model public struct Nothing {}", "public init() {"),
            // What only this file can use is not part of the model.
            (
                "@Model public struct User { public var name: String; private var isSeen = false; "
                    + "fileprivate var nick: String?; public private(set) var age: Int }",
                "public init(name: String, age: Int) {"
            ),
            ("@Model struct User { var name: String }", nil),
            ("@Model public struct User { public var name: String; init() { name = \"\" } }", nil),
        ] as [(String, String?)])
    func memberwise(source: String, initializer: String?) {
        let expansion = Expansion(of: source)
        let found = expansion.code.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.contains("init(") && !$0.contains("init(payload") && !$0.contains("@Model") }
        if let initializer {
            #expect(found.map(String.init) == [initializer], "\(expansion.code)")
        } else {
            #expect(!expansion.code.contains("Creates an instance from its properties"))
        }
    }
}
