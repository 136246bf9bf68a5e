import CHSLink
import ComponentKit
import Testing

@testable import ComponentCatalog

@Suite("Events in manifests")
struct EventManifestTests {
    /// A manifest with one handler, these members of the component, and these models.
    private static func text(on: String, _ members: String = "") -> String {
        #"{"name": "N", "version": "1.0.0", "module": "M", \#(members)"classes": [{"name": "L", "selectors": [{"name": "a"}, "#
            + #"{"name": "b", \#(on.contains("parameters") ? "" : #""parameters": {"e": "E"}, "#)"on": \#(on)}]}], "models": ["#
            + #"{"name": "E", "module": "M", "fields": {}, "event": "m.x/e"}, "#
            + #"{"name": "E", "module": "O", "fields": {}, "event": "o.x/e"}, "#
            + #"{"name": "Only", "module": "O", "fields": {}, "event": "o.x/only"}, "#
            + #"{"name": "Two", "module": "O", "fields": {}, "event": "o.x/two"}, "#
            + #"{"name": "Two", "module": "P", "fields": {}, "event": "p.x/two"}, "#
            + #"{"name": "Plain", "module": "M", "fields": {}}]}"#
    }

    @Test(
        "a type stands for its event, first in the author's module",
        arguments: [
            (#"{"event": "E"}"#, "m.x/e", false, 0), (#"{"event": "O.E", "loads": true}"#, "o.x/e", true, 0),
            (#"{"event": "Only", "priority": -3}"#, "o.x/only", false, -3),
            (#"{"event": "any.other/one"}"#, "any.other/one", false, 0),
            (#"{"event": "HostStarted"}"#, "hslink.host/started", false, 0),
            (#"{"event": "ComponentKit.MemoryPressure"}"#, "hslink.host/memoryPressure", false, 0),
        ])
    func types(on: String, event: String, loads: Bool, priority: Int) throws {
        let manifest = try ManifestAssembly.manifest(Self.text(on: on))
        let handles = manifest.classes[0].selectors[1].handles
        #expect(handles == HandlerDeclaration(event: event, loads: loads, priority: priority))
        #expect(try Manifest(manifest.json).classes == manifest.classes)
    }

    @Test("a handler may be concurrent", arguments: [(", \"concurrent\": true", true), ("", false)])
    func concurrent(member: String, isConcurrent: Bool) throws {
        let manifest = try ManifestAssembly.manifest(Self.text(on: #"{"event": "E"\#(member)}"#))
        let handles = try #require(manifest.classes[0].selectors[1].handles)
        #expect(handles.isConcurrent == isConcurrent)
        #expect(handles.line == (isConcurrent ? "on m.x/e [concurrent]" : "on m.x/e"))
        #expect(try Manifest(manifest.json).classes == manifest.classes)
    }

    @Test(
        "a handler with a mistake refuses the manifest, with the place",
        arguments: [
            (#"{"event": "E"}, "parameters": {"a": "E", "b": "E"}"#, "on: expected a selector with one parameter"),
            (#"{"event": "E"}, "parameters": {"hslink.delivery": "E"}"#, "on: expected a selector with one parameter"),
            ("7", "on: expected map"), ("{}", "on.event: expected string"),
            (#"{"event": ""}"#, "on.event: expected 1 to 255 bytes"),
            (#"{"event": "a/b/c"}"#, "on.event: expected letters"),
            (#"{"event": "E", "prio": 1}"#, #"expected "priority""#),
            (#"{"event": "E", "priority": 1000001}"#, "on.priority: expected an integer"),
            (#"{"event": "Plain"}"#, "selectors[1].on.event: expected an event's name"),
            (#"{"event": "Nothing"}"#, "selectors[1].on.event: expected an event's name"),
            (#"{"event": "Two"}"#, "expected a type qualified with its module, such as O.Two or P.Two"),
        ])
    func mistakes(on: String, words: String) {
        let error = #expect(throws: ComponentFileError.self) {
            try ManifestAssembly.manifest(Self.text(on: on))
        }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "no error")")
    }

    @Test("a class of a program whose event is not known is left out, and the others stay")
    func programClasses() throws {
        var notes = ManifestAssembly()
        for (name, event) in [("A", "a.b/c"), ("B", "Unknown"), ("C", "HostStarted")] {
            var text =
                #"{"name": "\#(name)", "module": "M", "selectors": [{"name": "s", "parameters": {"e": "E"}, "#
                + #""on": {"event": "\#(event)"}}]}"#
            try text.withUTF8 { bytes in
                unsafe try notes.add(ElfNote(type: UInt32(HSLINK_NOTE_LINK_CLASS), text: UnsafeRawBufferPointer(bytes)))
            }
        }
        let (classes, problems) = notes.otherClasses(try notes.serviceNotes())
        #expect(classes.map(\.declaration.name) == ["A", "C"])
        #expect(problems.count == 1)
        #expect(problems.first?.contains("Unknown") == true)
    }

    @Test("posts and the start of a component are read and written")
    func component() throws {
        let text = Self.text(
            on: #"{"event": "E"}"#,
            #""posts": ["E", "x.y/z", "M.E"], "starts": "withHost", "priority": 7, "#)
        let manifest = try ManifestAssembly.manifest(text)
        #expect(manifest.posts == ["m.x/e", "x.y/z"])
        #expect(manifest.starts == .withHost && manifest.priority == 7)
        #expect(try Manifest(manifest.json) == manifest)
        #expect(throws: ComponentFileError.self) {
            try ManifestAssembly.manifest(Self.text(on: #"{"event": "E"}"#, #""posts": ["Plain"], "#))
        }
        #expect(throws: ComponentFileError.self) {
            try ManifestAssembly.manifest(Self.text(on: #"{"event": "E"}"#, #""posts": ["a b/c"], "#))
        }
        #expect(throws: ComponentFileError.self) {
            try ManifestAssembly.manifest(Self.text(on: #"{"event": "E"}"#, #""starts": "soon", "#))
        }
    }

    @Test("the names of the host's events are those that ComponentKit declares")
    func names() {
        let types: [any LinkEvent.Type] = [
            HostStarted.self, HostWillStop.self, HostStopped.self, ConfigurationChanged.self, MemoryPressure.self,
            ComponentsChanged.self,
            URLOpened.self,
            ApplicationActivated.self, ApplicationDeactivated.self, ApplicationEnteredBackground.self,
            ApplicationEnteredForeground.self, NotificationReceived.self, QuickActionSelected.self,
            UserActivityContinued.self, SessionRenewed.self,
        ]
        #expect(
            EventRules.names
                == Dictionary(uniqueKeysWithValues: types.map { ("\($0)", $0.eventName) }))
    }
}
