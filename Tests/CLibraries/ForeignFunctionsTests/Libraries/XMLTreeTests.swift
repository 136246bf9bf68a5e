import ComponentHost
import ComponentKit
import TestSupport
import Testing

/// libxml2's trees: a node that is made belongs to nothing, and may use the texts of its document; a document frees the
/// nodes in it.
@Suite("XML trees", .enabled(if: SystemLibraries.has("libxml2.so.2")))
struct XMLTreeTests {
    private static let description = """
        {"name": "xmltree", "version": "2.9.14", "library": ["libxml2.so.2"], "class": "XMLTree",
         "declarations": [
          "typedef struct _xmlDoc xmlDoc; typedef struct _xmlNode xmlNode; typedef unsigned char xmlChar;",
          "xmlDoc *xmlNewDoc(const xmlChar *version); void xmlFreeDoc(xmlDoc *doc); void xmlFreeNode(xmlNode *node);",
          "xmlNode *xmlNewDocNode(xmlDoc *doc, void *ns, const xmlChar *name, const xmlChar *content);",
          "xmlNode *xmlAddChild(xmlNode *parent, xmlNode *cur); xmlNode *xmlDocGetRootElement(const xmlDoc *doc);",
          "xmlNode *xmlDocSetRootElement(xmlDoc *doc, xmlNode *root); xmlNode *xmlLastElementChild(xmlNode *parent);",
          "void xmlNodeSetContent(xmlNode *cur, const xmlChar *content); xmlChar *xmlNodeGetContent(const xmlNode *cur);"],
         "annotations": \(annotations),
         "handles": {"xmlDoc": "xmlFreeDoc", "xmlNode": "xmlFreeNode"}}
        """
    private static let annotations = """
        {"xmlNewDoc": {"version": "string copied"},
         "xmlNewDocNode": {"ns": "null", "name": "string copied", "content": "string copied nullable", "return": "keeps doc"},
         "xmlAddChild": {"parent": "ends parts", "cur": "released", "return": "ignored"},
         "xmlDocGetRootElement": {"return": "of doc"}, "xmlLastElementChild": {"return": "of parent"},
         "xmlDocSetRootElement": {"doc": "ends parts", "root": "released", "return": "keeps doc"},
         "xmlNodeSetContent": {"cur": "ends parts", "content": "string"}, "xmlNodeGetContent": {"return": "string free"}}
        """

    @Test("nodes are put into a document in any order, and everything is freed once")
    func tree() async throws {
        try await withDescription(Self.description) { host async throws in
            func call(_ name: String, _ arguments: Payload) async throws -> Payload {
                try await host.call("XMLTree", name, arguments)
            }
            for round in 0..<20 {
                let doc = try await call("xmlNewDoc", ["version": "1.0"])
                let root = try await call("xmlNewDocNode", ["doc": doc, "name": "root"])
                let child = try await call("xmlNewDocNode", ["doc": doc, "name": "child", "content": "text"])
                let loose = try await call("xmlNewDocNode", ["doc": doc, "name": "loose"])
                if round.isMultiple(of: 2) { _ = try await call("xmlAddChild", ["parent": root, "cur": child]) }
                // The document cannot be freed while there are nodes that do not belong to it yet.
                let early = await failure { try await call("xmlFreeDoc", ["doc": doc]) }
                #expect(early?.message.contains("cannot be released while others need it") == true)
                let needed = await failure { try await call("xmlDocSetRootElement", ["doc": doc, "root": root]) }
                #expect(needed?.message.contains("cannot end while other handles need it") == true)
                _ = try await loose.object().call("close")
                let used = await failure { try await call("xmlAddChild", ["parent": root, "cur": loose]) }
                #expect(used?.message == "the handle _xmlNode has been released")
                let last = try await call("xmlLastElementChild", ["parent": root])
                if round.isMultiple(of: 2) {
                    #expect(try await call("xmlNodeGetContent", ["cur": last]) == "text")
                    _ = try await call("xmlNodeSetContent", ["cur": root, "content": "new"])
                    let ended = await failure { try await call("xmlNodeGetContent", ["cur": last]) }
                    #expect(ended?.message == "the handle _xmlNode has been released")
                    #expect(try await call("xmlDocSetRootElement", ["doc": doc, "root": root]) == .null)
                    let found = try await call("xmlDocGetRootElement", ["doc": doc])
                    #expect(try await call("xmlNodeGetContent", ["cur": found]) == "new")
                    _ = try await call("xmlFreeDoc", ["doc": doc])
                    let late = await failure { try await call("xmlNodeGetContent", ["cur": found]) }
                    #expect(late?.message == "the handle _xmlNode has been released")
                } else {
                    #expect(last == .null)
                }
            }
        }
    }
}
