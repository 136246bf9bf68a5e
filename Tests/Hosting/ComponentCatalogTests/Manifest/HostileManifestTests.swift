import CHSLink
import Testing

@testable import ComponentCatalog

@Suite("Short manifests with large contents")
struct HostileManifestTests {
    /// A component with `classes` classes that provide all of `services` services, as JSON.
    private func component(classes: Int, provides: String, services: [String]) -> String {
        let classes = (0..<classes).map { #"{"name": "c\#($0)", "provides": [\#(provides)]}"# }
        return """
            {"name": "N", "version": "1.0.0", "module": "M", "classes": [\(classes.joined(separator: ","))],
             "services": [\(services.joined(separator: ","))]}
            """
    }

    private func service(selectors: Int, summary: String = "") -> String {
        let selectors = (0..<selectors).map { #"{"name": "s\#($0)", "summary": "\#(summary)"}"# }
        return #"{"name": "x/1", "protocol": "P", "selectors": [\#(selectors.joined(separator: ","))]}"#
    }

    @Test("too many selectors in too many classes are refused")
    func selectors() throws {
        let most = component(classes: 128, provides: #""P""#, services: [service(selectors: 512)])
        #expect(try ManifestAssembly.manifest(most).classes.last?.selectors.count == 512)
        let tooMany = component(classes: 129, provides: #""P""#, services: [service(selectors: 512)])
        let error = try refusal { _ = try ManifestAssembly.manifest(tooMany) }
        #expect(error?.code == .invalidManifest)
        #expect(
            error?.message == "the manifest is invalid: classes[128].provides: expected at most 65536 "
                + "selectors, or 16 MB, from services in all classes of a component, found more")
    }

    @Test("so is their text")
    func text() throws {
        let long = String(repeating: "a", count: 100_000)
        let text = component(classes: 200, provides: #""P""#, services: [service(selectors: 1, summary: long)])
        #expect(try refusal { _ = try ManifestAssembly.manifest(text) }?.message.contains("or 16 MB") == true)
    }

    @Test("thousands of protocols are found by their names")
    func protocols() throws {
        let count = 5000
        let services = (0..<count).map { #"{"name": "s\#($0)/1", "protocol": "P\#($0)"}"# }
        let provides = (0..<count).map { $0.isMultiple(of: 2) ? #""P\#($0)""# : #""M.P\#($0)""# }
        let manifest = try ManifestAssembly.manifest(
            component(classes: 4, provides: provides.joined(separator: ","), services: services))
        #expect(manifest.providedServices.count == count)
        #expect(manifest.classes.last?.provides.last == "s\(count - 1)/1")
    }

    @Test("a message names some of many services of one protocol")
    func ambiguous() throws {
        let services = (0..<1000).map { #"{"name": "s\#($0)/1", "protocol": "P"}"# }
        let text = component(classes: 1, provides: #""P""#, services: services)
        let message = try #require(try refusal { _ = try ManifestAssembly.manifest(text) }?.message)
        #expect(message.contains("M.P (s0/1) or M.P (s1/1)"))
        #expect(message.utf8.count < 1000)
    }

    @Test("thousands of notes about classes are each read once")
    func classNotes() throws {
        var notes = ManifestAssembly()
        func add(_ type: Int, _ text: String) throws {
            var text = text
            try text.withUTF8 { bytes in
                unsafe try notes.add(ElfNote(type: UInt32(type), text: UnsafeRawBufferPointer(bytes)))
            }
        }
        try add(HSLINK_NOTE_COMPONENT, #"{"name": "N", "version": "1.0.0", "module": "M"}"#)
        for _ in 0..<2 {
            for index in 0..<3000 { try add(HSLINK_NOTE_LINK_CLASS, #"{"module": "M", "name": "c\#(index)"}"#) }
        }
        #expect(try notes.manifest().classes.count == 3000)
    }
}
