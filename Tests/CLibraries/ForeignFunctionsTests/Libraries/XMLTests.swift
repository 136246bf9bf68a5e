import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

/// Expat and libxml2's reader, against the parsers of Python.
@Suite("XML")
struct XMLTests {
    static let document = """
        <?xml version="1.0"?>
        <list title="Grüße &amp; more" count='2'><item/>ä&#x1F600;
          <item id="7">text<!-- remark --></item><x:y xmlns:x="urn:x"/></list>
        """

    @Test("expat calls closures for elements, attributes and texts", .enabled(if: SystemLibraries.has("libexpat.so.1")))
    func expat() async throws {
        try await withLibraries("expat") { host async throws in
            let parser = try await host.call("Expat", "XML_ParserCreate")
            let lines = Lock<[String]>([])
            @Sendable func add(_ line: String) { lines.withLock { $0.append(line) } }
            let start = host.link.typedClosure { (name: String, attributes: [String]) -> Bool in
                add("start \(name) \(attributes.joined(separator: "|"))")
                return true
            }
            let end = host.link.typedClosure { (name: String) -> Bool in
                add("end \(name)")
                return true
            }
            let text = host.link.typedClosure { (text: String, _: Int) -> Bool in
                add("text \(text.replacing("\n", with: "\\n"))")
                return true
            }
            _ = try await host.call(
                "Expat", "XML_SetElementHandler", ["parser": parser, "start": start, "end": end])
            _ = try await host.call("Expat", "XML_SetCharacterDataHandler", ["parser": parser, "handler": text])
            _ = try await host.call(
                "Expat", "XML_Parse", ["parser": parser, "s": .string(Self.document), "isFinal": 1])
            let expected = try await python(
                """
                import sys, xml.parsers.expat
                p = xml.parsers.expat.ParserCreate()
                p.ordered_attributes = True
                p.buffer_text = False
                p.StartElementHandler = lambda n, a: print("start", n, "|".join(a))
                p.EndElementHandler = lambda n: print("end", n)
                p.CharacterDataHandler = lambda t: print("text", t.replace("\\n", "\\\\n"))
                p.Parse(sys.argv[1], True)
                """, Self.document)
            #expect(lines.withLock { $0.map { $0 + "\n" }.joined() } == expected)
        }
    }

    @Test(
        "expat says where a document is wrong, and what a closure has thrown",
        .enabled(if: SystemLibraries.has("libexpat.so.1")))
    func wrong() async throws {
        try await withLibraries("expat") { host async throws in
            let parser = try await host.call("Expat", "XML_ParserCreate")
            let error = await failure {
                try await host.call("Expat", "XML_Parse", ["parser": parser, "s": "<a>\n<b></a>", "isFinal": 1])
            }
            // XML_ERROR_TAG_MISMATCH
            #expect(error?.number == 7 && error?.message == "mismatched tag")
            #expect(try await host.call("Expat", "XML_GetCurrentLineNumber", ["parser": parser]) == 2)
            let other = try await host.call("Expat", "XML_ParserCreate", ["encoding": "ISO-8859-1"])
            let start = host.link.closure { _ -> Payload in
                throw LinkError(domain: "test", number: 3, message: "enough")
            }
            _ = try await host.call(
                "Expat", "XML_SetElementHandler", ["parser": other, "start": start, "end": .null])
            let thrown = await failure {
                try await host.call("Expat", "XML_Parse", ["parser": other, "s": "<a/>", "isFinal": 1])
            }
            #expect(thrown?.message == "enough" && thrown?.number == 3)
        }
    }

    @Test("libxml2's reader goes from node to node", .enabled(if: SystemLibraries.has("libxml2.so.2")))
    func reader() async throws {
        try await withLibraries("xmlreader") { host async throws in
            let reader = try await host.call(
                "XMLReader", "xmlReaderForMemory",
                ["buffer": .string(Self.document), "options": "XML_PARSE_NONET"])
            let reading: Payload = ["reader": reader]
            var found: [String] = []
            while try await host.call("XMLReader", "xmlTextReaderRead", reading).int() == 1 {
                guard try await host.call("XMLReader", "xmlTextReaderNodeType", reading) == 1 else { continue }
                var line = try await host.call("XMLReader", "xmlTextReaderConstName", reading).string()
                while try await host.call("XMLReader", "xmlTextReaderMoveToNextAttribute", reading) == 1 {
                    let name = try await host.call("XMLReader", "xmlTextReaderConstName", reading).string()
                    let value = try await host.call("XMLReader", "xmlTextReaderConstValue", reading).string()
                    line += " \(name)=\(value)"
                }
                found.append(line)
            }
            let expected = try await python(
                """
                import sys, xml.sax
                class Handler(xml.sax.ContentHandler):
                    def startElement(self, name, attrs):
                        print(name + "".join(f" {k}={v}" for k, v in attrs.items()))
                xml.sax.parseString(sys.argv[1], Handler())
                """, Self.document)
            #expect(found.map { $0 + "\n" }.joined() == expected)
            let broken = try await host.call(
                "XMLReader", "xmlReaderForMemory", ["buffer": "<a><b></a>", "options": 96])
            let error = await failure {
                for _ in 0..<10 { _ = try await host.call("XMLReader", "xmlTextReaderRead", ["reader": broken]) }
                return .null
            }
            #expect(error?.number == -1)
        }
    }
}
