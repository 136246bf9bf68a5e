import CHSLink
import ComponentKit
import TestSupport
import Testing

@testable import ComponentCatalog

@Suite("The notes of one file together")
struct JoinedNotesTests {
    typealias Note = (type: Int, text: String)

    static let component: Note = (HSLINK_NOTE_COMPONENT, #"{"name": "N", "version": "1.0.0", "module": "Own"}"#)
    static let linkClass: Note = (
        HSLINK_NOTE_LINK_CLASS,
        #"{"module": "Own", "name": "L", "provides": ["S"], "selectors": [{"name": "own"}]}"#
    )
    static let service: Note = (
        HSLINK_NOTE_SERVICE,
        #"{"module": "C", "name": "com.x/1", "protocol": "S", "selectors": [{"name": "a"}, {"name": "own", "async": true}]}"#
    )
    static let model: Note = (HSLINK_NOTE_MODEL, #"{"module": "C", "name": "U", "fields": {"a": "Int = 1"}}"#)

    private func notes(_ notes: [Note]) throws -> ManifestAssembly {
        var collected = ManifestAssembly()
        for note in notes {
            var text = note.text
            try text.withUTF8 { bytes in
                unsafe try collected.add(ElfNote(type: UInt32(note.type), text: UnsafeRawBufferPointer(bytes)))
            }
        }
        return collected
    }

    private func manifest(_ notes: Note...) throws -> Manifest { try self.notes(notes).manifest() }

    @Test("a class provides the service of its protocol, and answers to its selectors")
    func joined() throws {
        for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
            let all = [Self.component, Self.linkClass, Self.service, Self.model]
            let manifest = try notes(order.map { all[$0] }).manifest()
            #expect(manifest.classes.map(\.name) == ["L"])
            #expect(manifest.classes[0].provides == ["com.x/1"])
            #expect(manifest.classes[0].selectors.map(\.name) == ["own", "a"])
            #expect(manifest.classes[0].selectors[0].isAsync == false)
            #expect(manifest.services.map(\.protocolName) == ["S"])
            #expect(
                manifest.models == [
                    ModelDeclaration(
                        module: "C", name: "U", content: .fields([.init(name: "a", type: "Int = 1")]), isError: false)
                ])
            #expect(manifest.providedServices == ["com.x/1"])
        }
    }

    @Test("one note with everything is equivalent to several notes")
    func oneNote() throws {
        let several = try manifest(
            (
                HSLINK_NOTE_COMPONENT,
                #"{"name": "N", "version": "1.0.0", "module": "Own", "requires": [{"protocol": "S", "optional": false}]}"#
            ), Self.model, Self.service, Self.linkClass)
        let one = try manifest(
            (
                HSLINK_NOTE_COMPONENT,
                """
                {"requires": [{"service": "com.x/1"}], "version": "1.0.0", "name": "N", "module": "Own",
                 "models": [{"name": "U", "module": "C", "error": false, "fields": {"a": "Int = 1"}}],
                 "services": [{"name": "com.x/1", "module": "C", "protocol": "S",
                               "selectors": [{"name": "a"}, {"name": "own", "async": true}]}],
                 "classes": [{"name": "L", "provides": ["com.x/1"], "instances": "shared",
                              "selectors": [{"name": "own", "quick": false}, {"kind": "object", "name": "a"}]}]}
                """
            ))
        #expect(several.json == one.json)
        #expect(try several.json.json() == one.json.json())
        #expect(several.classes == one.classes)
        #expect(several.services == one.services)
        #expect(several.models == one.models)
        #expect(several.requires == one.requires)
        #expect(several.requires == [Requirement(.service("com.x/1"))])
        #expect(
            try one.json.json().hasPrefix(
                #"{"name":"N","version":"1.0.0","module":"Own","classes":[{"name":"L","instances":"shared","provides""#)
        )
    }

    @Test("a repeated note counts once")
    func twice() throws {
        let once = try manifest(Self.component, Self.linkClass, Self.service, Self.model)
        let twice = try manifest(
            Self.component, Self.linkClass, Self.service, Self.model, Self.component, Self.linkClass, Self.service,
            Self.model)
        #expect(once.json == twice.json)
    }

    @Test("every form of a model is read")
    func models() throws {
        let manifest = try manifest(
            Self.component,
            (
                HSLINK_NOTE_MODEL,
                #"{"module": "C", "name": "Shape", "cases": {"circle": {"radius": "Double"}, "named": {"_0": "String"}, "none": {}}}"#
            ),
            (
                HSLINK_NOTE_MODEL,
                #"{"module": "C", "name": "O.Kind", "raw": "String", "cases": {"a": {}, "b": "x"}, "error": true}"#
            ),
            (HSLINK_NOTE_MODEL, #"{"module": "C", "name": "R", "raw": "Int", "cases": {"a": "1", "b": "-2"}}"#))
        #expect(
            manifest.models == [
                ModelDeclaration(
                    module: "C", name: "O.Kind",
                    content: .cases([.init(name: "a"), .init(name: "b", rawValue: "x")], raw: "String"), isError: true),
                ModelDeclaration(
                    module: "C", name: "R",
                    content: .cases(
                        [.init(name: "a", rawValue: "1"), .init(name: "b", rawValue: "-2")], raw: "Int"), isError: false
                ),
                ModelDeclaration(
                    module: "C", name: "Shape",
                    content: .cases(
                        [
                            .init(name: "circle", values: [.init(name: "radius", type: "Double")]),
                            .init(name: "named", values: [.init(name: "_0", type: "String")]), .init(name: "none"),
                        ], raw: nil), isError: false),
            ])
        #expect(try manifest.json.json().contains(#""raw":"Int","cases":{"a":"1","b":"-2"}"#))
    }

    @Test(
        "a protocol is found by its name, by module and name, and in the module of the class first",
        arguments: [
            ("S", "Own", "com.own/1"), ("C.S", "Own", "com.x/1"), ("Own.S", "Other", "com.own/1"),
            ("com.not.described/2", "Own", "com.not.described/2"),
        ])
    func protocols(written: String, module: String, service: String) throws {
        let manifest = try manifest(
            Self.component, Self.service,
            (HSLINK_NOTE_SERVICE, #"{"module": "Own", "name": "com.own/1", "protocol": "S"}"#),
            (HSLINK_NOTE_LINK_CLASS, #"{"module": "\#(module)", "name": "L", "provides": ["\#(written)"]}"#))
        #expect(manifest.classes[0].provides == [service])
    }

    private static func spellings(_ note: (_ name: String) -> Note) -> [Note] { ["\u{E9}", "e\u{301}"].map(note) }

    static let mistakes: [(notes: [Note], message: String)] = [
        (
            [component, linkClass],
            #"the note about the class "L" in module "Own" is invalid: provides[0]: expected a service's name"#
        ),
        (
            [
                component, service, (HSLINK_NOTE_SERVICE, #"{"module": "D", "name": "com.y/1", "protocol": "S"}"#),
                linkClass,
            ],
            "provides[0]: expected a protocol qualified with its module, such as C.S (com.x/1) or D.S (com.y/1)"
        ),
        (
            [component, linkClass, service, (HSLINK_NOTE_LINK_CLASS, #"{"module": "Z", "name": "L"}"#)],
            #"the note about the class "L" in module "Z" is invalid: name: expected a name that no other class"#
        ),
        (
            [component, (HSLINK_NOTE_LINK_CLASS, #"{"module": "Own", "name": "L", "provides": ["com.g/01"]}"#)],
            #"provides[0]: expected letters, digits, dots and hyphens, then a slash and a revision number"#
        ),
        (
            [component, (HSLINK_NOTE_LINK_CLASS, #"{"module": 5, "name": "L"}"#)],
            #"the note about the class "L" is invalid: module: expected string, found int"#
        ),
        (
            [component, service, (HSLINK_NOTE_SERVICE, #"{"module": "D", "name": "com.x/1", "protocol": "T"}"#)],
            #"name: expected one service with this name per file, found "com.x/1" again"#
        ),
        (
            [component, model, (HSLINK_NOTE_MODEL, #"{"module": "C", "name": "U", "fields": {}}"#)],
            #"name: expected one model with this name and module per file, found "U" again"#
        ),
        // Callers tell the keys apart by their bytes, though Swift takes both spellings as equal.
        (
            [component]
                + spellings { name in
                    (HSLINK_NOTE_MODEL, #"{"module": "C", "name": "U", "fields": {"\#(name)": "Int"}}"#)
                },
            #"name: expected one model with this name and module per file, found "U" again"#
        ),
        (
            [component]
                + spellings { name in
                    let selectors = #""selectors": [{"name": "\#(name)"}]"#
                    return (HSLINK_NOTE_SERVICE, #"{"module": "C", "name": "com.x/1", "protocol": "S", \#(selectors)}"#)
                },
            #"name: expected one service with this name per file, found "com.x/1" again"#
        ),
        (
            [component]
                + spellings { name in
                    (HSLINK_NOTE_LINK_CLASS, #"{"module": "Own", "name": "L", "selectors": [{"name": "\#(name)"}]}"#)
                },
            #"the note about the class "L" in module "Own" is invalid: name: expected a name that no other class"#
        ),
        (
            [component, (HSLINK_NOTE_MODEL, #"{"module": "C", "name": "U", "fields": {"a": 1}}"#)],
            #"the note about the model "U" in module "C" is invalid: fields.a: expected string, found int"#
        ),
        ([component, (HSLINK_NOTE_SERVICE, "{")], "the note about the service is not JSON"),
        ([component, (HSLINK_NOTE_LINK_CLASS, "[]")], "the note about the class is invalid"),
        (
            [component, (HSLINK_NOTE_LINK_CLASS, #"{"name": "L", "selectors": [{}]}"#)],
            #"the note about the class "L" is invalid: selectors[0].name"#
        ),
        (
            [
                (
                    HSLINK_NOTE_COMPONENT,
                    #"{"name": "N", "version": "1.0.0", "requires": [{"class": "A"}, {"protocol": "P"}]}"#
                )
            ], #"the manifest is invalid: requires[1].protocol: expected a service's name"#
        ),
        (
            [
                (
                    HSLINK_NOTE_COMPONENT,
                    #"{"name": "N", "version": "1.0.0", "classes": [{"name": "A"}, {"name": "B", "provides": ["P"]}]}"#
                )
            ], #"the manifest is invalid: classes[1].provides[0]: expected a service's name"#
        ),
    ]

    @Test("a mistake is reported with its note and position", arguments: mistakes)
    func mistake(_ mistake: (notes: [Note], message: String)) throws {
        let error = try #require(try refusal { _ = try notes(mistake.notes).manifest() })
        #expect(error.code == .invalidManifest)
        #expect(error.message.contains(mistake.message), "\(error)")
    }

    @Test("in a program classes belong to the component of their module, services and models to all")
    func program() throws {
        let manifests = try notes([
            Self.component, (HSLINK_NOTE_COMPONENT, #"{"name": "M", "version": "1.0.0", "module": "Other"}"#),
            Self.linkClass, Self.service, Self.model,
            (HSLINK_NOTE_LINK_CLASS, #"{"module": "Other", "name": "L", "selectors": []}"#),
            (HSLINK_NOTE_LINK_CLASS, #"{"module": "Nobody", "name": "Lost"}"#),
        ]).manifests()
        #expect(manifests.map(\.name) == ["N", "M"])
        #expect(manifests.map { $0.classes.map(\.provides) } == [[["com.x/1"]], [[]]])
        for manifest in manifests {
            #expect(manifest.services.map(\.name) == ["com.x/1"])
            #expect(manifest.models.map(\.name) == ["U"])
        }
    }

    @Test("notes are read from a real file")
    func file() throws {
        let source = [Self.component, Self.linkClass, Self.service, Self.model].enumerated().map { index, note in
            "HSLINK_NOTE(note\(index), \(note.type), \(CompiledLibrary.literal(note.text)))"
        }
        let directory = try TemporaryDirectory()
        _ = try directory.write(try CompiledLibrary.compile(source.joined(separator: "\n")), to: "libN.so")
        let catalog = CatalogScanner.scan([directory.path], formats: [])
        let manifest = try #require(catalog.entry(named: "N")?.manifest, "\(catalog.rejectedFiles)")
        #expect(manifest.classes[0].provides == ["com.x/1"])
        #expect(manifest.json == (try self.manifest(Self.component, Self.linkClass, Self.service, Self.model)).json)
    }
}
