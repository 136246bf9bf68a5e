import ComponentKit
import ForeignFunctions
import Testing

/// Handles that belong to each other, in the declarations of C libraries.
@Suite("Which handle belongs to which")
struct OwnerQuestionTests {
    struct Asked: Sendable {
        let declarations: String
        let annotations: String
        /// The parameter, and the annotations that are proposed for it; empty if nothing is asked.
        let questions: [String: [String]]

        init(_ declarations: String, _ annotations: String = "{}", _ questions: [String: [String]] = [:]) {
            self.declarations = declarations
            self.annotations = annotations
            self.questions = questions
        }
    }

    private static let node = "typedef struct cmark_node cmark_node; typedef struct cmark_iter cmark_iter;"

    private static let libcmark: [Asked] = [
        Asked("\(node) cmark_node *cmark_node_new(int type);"),
        Asked(
            "\(node) int cmark_node_append_child(cmark_node *node, cmark_node *child);", "{}",
            ["child": ["released", "kept by node", "handle"]]),
        Asked(
            "\(node) int cmark_node_append_child(cmark_node *node, cmark_node *child);",
            #"{"cmark_node_append_child": {"child": "released"}}"#),
        Asked(
            "\(node) int cmark_node_append_child(cmark_node *node, cmark_node *child);",
            #"{"cmark_node_append_child": {"node": "handle"}}"#, ["child": ["released", "kept by node", "handle"]]),
        Asked(
            "\(node) cmark_iter *cmark_iter_new(cmark_node *root);", "{}",
            ["return": ["keeps root", "handle", "of root"]]),
        Asked(
            "\(node) cmark_iter *cmark_iter_new(cmark_node *root);", #"{"cmark_iter_new": {"return": "keeps root"}}"#),
        Asked(
            "\(node) cmark_node *cmark_node_first_child(cmark_node *node);", "{}",
            ["return": ["of node", "keeps node", "handle"]]),
        Asked("\(node) void cmark_node_unlink(cmark_node *node);"),
        // Once there are parts, what changes a tree may free them.
        Asked(
            "\(node) cmark_node *cmark_node_first_child(cmark_node *node); void cmark_consolidate_text_nodes(cmark_node *root);",
            #"{"cmark_node_first_child": {"return": "of node"}}"#, ["root": ["ends parts", "handle"]]),
        Asked(
            "\(node) cmark_node *cmark_node_first_child(cmark_node *node); void cmark_consolidate_text_nodes(cmark_node *root);",
            #"{"cmark_node_first_child": {"return": "of node"}, "cmark_consolidate_text_nodes": {"root": "ends parts"}}"#
        ),
        Asked(
            "\(node) cmark_node *cmark_node_next(cmark_node *node); int cmark_node_get_type(cmark_node *node);",
            #"{"cmark_node_next": {"return": "of node"}}"#),
    ]

    private static let json = "typedef struct json_object json_object;"

    private static let jsonC: [Asked] = [
        Asked(
            "\(json) int json_object_object_add(json_object *obj, const char *key, json_object *val);", "{}",
            ["val": ["released", "kept by obj", "handle"]]),
        Asked(
            "\(json) json_object *json_object_get(json_object *obj);", "{}",
            ["return": ["of obj", "keeps obj", "handle"]]),
        Asked("\(json) int json_object_put(json_object *obj); int json_object_get_int(const json_object *obj);"),
        Asked(
            "\(json) json_object *json_object_object_get(const json_object *obj, const char *key); "
                + "void json_object_object_del(json_object *obj, const char *key);",
            #"{"json_object_object_get": {"key": "copied", "return": "of obj"}}"#, ["obj": ["ends parts", "handle"]]),
    ]

    private static let object =
        "struct json_t { int type; unsigned refs; }; struct json_t *json_object(void); void json_delete(struct json_t *json);"

    // jansson and cJSON, whose structs are declared, but are the library's: it would free a copy of the host's.
    private static let objects: [Asked] = [
        Asked(
            object, "{}",
            ["json": ["handle released", "handle", "inout", "out", "in", "new"], "return": ["handle", "value"]]),
        Asked(
            "\(object) int json_object_set_new(struct json_t *object, const char *key, struct json_t *value);",
            #"{"json_object": {"return": "handle"}, "json_delete": {"json": "handle released"}}"#,
            [
                "object": ["handle", "inout", "out", "in", "new"],
                "value": ["handle released", "handle kept by object", "handle", "inout", "out", "in", "new"],
            ]),
        Asked(
            "\(object) struct json_t *json_array_get(struct json_t *array, int index);",
            #"{"json_object": {"return": "handle"}, "json_delete": {"json": "handle released"}, "json_array_get": {"array": "handle"}}"#,
            ["return": ["handle of array", "handle keeps array", "handle", "value"]]),
        // Without a function that frees them, they may be the caller's.
        Asked(
            "struct t { int a; }; struct t *f(void); int g(struct t *t);", #"{"f": {"return": "value"}}"#,
            ["t": ["inout", "out", "in", "handle", "new"]]),
    ]

    private static let others: [Asked] = [
        // libxml2, whose structs are declared.
        Asked(
            "struct _xmlNode { int type; }; struct _xmlNode *xmlAddChild(struct _xmlNode *parent, struct _xmlNode *cur);",
            #"{"xmlAddChild": {"parent": "handle", "return": "handle of parent"}}"#,
            ["cur": ["inout", "out", "in", "handle released", "handle kept by parent", "handle", "new"]]),
        Asked(
            "struct _xmlNode { int type; }; struct _xmlNode *xmlAddChild(struct _xmlNode *parent, struct _xmlNode *cur);",
            #"{"xmlAddChild": {"parent": "handle", "cur": "handle released"}}"#,
            ["return": ["value", "handle of parent", "handle keeps parent", "handle"]]),
        // GLib's trees take only pointers to data; what is searched for is a value.
        Asked(
            "typedef struct _GTree GTree; int g_tree_remove(GTree *tree, const void *key);",
            #"{"g_tree_remove": {"key": "string"}}"#),
        Asked(
            "typedef struct _GTree GTree; int g_tree_nnodes(GTree *tree); GTree *g_tree_ref(GTree *tree);", "{}",
            ["return": ["keeps tree", "handle", "of tree"]]),
        // expat
        Asked(
            "typedef struct XML_ParserStruct *XML_Parser; XML_Parser XML_ExternalEntityParserCreate(XML_Parser parser, const char *context);",
            #"{"XML_ExternalEntityParserCreate": {"context": "copied"}}"#,
            ["return": ["keeps parser", "handle", "of parser"]]),
        // SQLite
        Asked(
            "struct b; struct d; struct b *backup_init(struct d *dest, struct d *source);",
            #"{"backup_init": {"source": "kept by return"}}"#, ["return": ["keeps dest", "handle", "of dest"]]),
        Asked(
            "struct d; struct s; int prepare(struct d *db, struct s **stmt);", #"{"prepare": {"stmt": "out"}}"#,
            ["stmt": ["out of db", "out keeps db", "out handle"]]),
        Asked(
            "struct d; struct s; int prepare(struct d *db, struct s **stmt);", #"{"prepare": {"stmt": "out of db"}}"#),
        Asked(
            "struct d; struct s; int prepare(struct d *db, struct s **stmt);", #"{"prepare": {"stmt": "out handle"}}"#),
        // What C only reads takes nothing over.
        Asked("struct h; int compare(const struct h *left, const struct h *right);"),
        Asked(
            "struct h; int fill(const struct h *from, struct h *to);", "{}", ["from": ["kept by to", "handle"]]),
        Asked(
            "struct h; int swap3(struct h *a, struct h *b, struct h *c);", "{}",
            [
                "b": ["kept by a", "kept by c", "released", "handle"],
                "c": ["kept by a", "kept by b", "released", "handle"],
            ]),
        // Not always the first one takes over the others.
        Asked(
            "struct h; int attach_to(struct h *child, struct h *node);", "{}",
            ["child": ["released", "kept by node", "handle"]]),
        Asked(
            "struct h; void node_set_parent(struct h *node, struct h *parent);", "{}",
            ["node": ["released", "kept by parent", "handle"]]),
        Asked(
            "struct h; void node_set_parent(struct h *node, struct h *parent);",
            #"{"node_set_parent": {"node": "released"}}"#),
        Asked("struct h; int use(struct h *a, struct h *b);", #"{"use": {"a": "kept by b"}}"#),
        Asked("struct h; int use(struct h *a, struct h *b);", #"{"use": {"a": "released"}}"#),
        // Handles in arrays and structs.
        Asked(
            "struct g; struct h; int put(struct g *g, struct h *const *list, int n);",
            #"{"put": {"list": "items[n]"}}"#,
            ["list": ["items[n] kept by g", "items[n] copied"]]),
        Asked(
            "struct g; struct h; struct s { struct h *h; }; int put(struct g *g, struct s s);", "{}",
            ["s": ["kept by g", "copied"]]),
        Asked(
            "struct g; struct h; struct g *f(struct h *const *list, int n);",
            #"{"f": {"list": "items[n] kept by return"}}"#),
        // Pairs of pointers, and arrays that go on behind their struct.
        Asked("int f(const char *first, const char *last);", "{}", ["last": ["null", "string"]]),
        Asked("int f(const char *first, const char *last);", #"{"f": {"first": "bytes[4]", "last": "= first + 4"}}"#),
        Asked("int f(const int *begin, const int *end);", #"{"f": {"begin": "items[3]"}}"#, ["end": ["null", "in"]]),
        Asked("struct s { int count; int data[1]; }; int f(struct s s);", "{}", ["s.data": ["value"]]),
        Asked("struct s { int count; int data[1]; }; int f(struct s s);", #"{"f": {"s.data": "value"}}"#),
        Asked("struct s { int count; int data[2]; }; int f(struct s s);"),
        // Rows.
        Asked("int f(double (*m)[4]);", "{}", ["m": []]),
        Asked("int f(double m[4][4]);", "{}", ["m": ["out items[4]", "items[4]"]]),
        Asked("int f(const int m[2][3]);", "{}", ["m": ["items[2]"]]),
    ]

    @Test(
        "handles that come out of a function that takes one, and handles that go in together",
        arguments: libcmark + jsonC + objects + others)
    func owner(asked: Asked) throws {
        let description = try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                     "declarations": "\(asked.declarations)", "annotations": \(asked.annotations)}
                    """))
        var found: [String: [String]] = [:]
        // What is named like a release is asked about besides.
        for question in description.refusals.flatMap(\.questions) where question.released == nil {
            found[question.parameter] = question.annotations
        }
        #expect(found == asked.questions, "\(description.refusals.map(\.reason))")
    }

    @Test(
        "what would use a handle after its release is refused",
        arguments: [
            (
                "int f(struct h *h); const char *message(struct h *h);",
                #"{"f": {"h": "released", "return": "error unless 0 message message(h)"}}"#,
                #"return: a formula uses "h", which the function releases before it is computed: remove the formula"#
            ),
            (
                "int f(struct h *h); int size(struct h *h);", #"{"f": {"return": "error if < 0 number size(h)"}}"#, nil
            ),
            (
                "int f(struct h *h); int give(struct h *h);",
                #"{"give": {"h": "released"}, "f": {"return": "error if < 0 number give(h)"}}"#,
                "return: give releases a handle, which a formula must not do"
            ),
            (
                "int f(struct h *h); int give(struct h *h);",
                #"{"give": {"h": "released"}, "f": {"h": "ends parts released"}}"#,
                #"h: "ends parts" is for handles that go in and that the function does not release"#
            ),
            (
                "int f(int (*g)(struct h *h)); int give(struct h *h);",
                #"{"give": {"h": "released"}, "f": {"g": "function"}}"#,
                "g: no function of the type int (*)(struct h *h) is declared"
            ),
            (
                "int f(struct h *h, ...);", #"{"f": {"...": "(struct h *)"}}"#,
                #""..." takes handles, which the library may use after the call; only "copied" is possible, if it does not"#
            ),
            ("int f(struct h *h, ...);", #"{"f": {"...": "(struct h *) copied"}}"#, nil),
            (
                "int f(double (*m)[4]);", #"{"f": {"m": "out"}}"#,
                #"m: double (*)[4] leads to rows: expected "items[count]", or "items[1]" for one"#
            ),
            (
                "int f(const int m[2][3]);", #"{"f": {"m": "out items[2]"}}"#,
                #"m: const int (*)[3] is read-only: remove "out" or "inout""#
            ),
        ] as [(String, String, String?)])
    func released(declarations: String, annotations: String, reason: String?) throws {
        let description = try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                     "declarations": "struct h; \(declarations)", "annotations": \(annotations)}
                    """))
        #expect(description.refusals.first { $0.name == "f" }?.reason == reason)
    }

    @Test(
        "a function may be named for a function pointer if its pointers mean the same",
        arguments: [
            (#"{"a": {"p": "string"}, "b": {"p": "string"}, "f": {"g": "function"}}"#, nil),
            (
                #"{"a": {"p": "string"}, "b": {"p": "bytes[4]"}, "f": {"g": "function"}}"#,
                #"g: a and b have this type, but what their pointers mean differs: say under "q" of this parameter which are meant"#
            ),
            (#"{"a": {"p": "string"}, "b": {"p": "bytes[4]"}, "f": {"g": "function", "g.q": "bytes[4]"}}"#, nil),
            (
                #"{"a": {"p": "string"}, "b": {"p": "bytes[4]"}, "f": {"g": "function", "g.q": "bytes[8]"}}"#,
                "g: no function of the type int (*)(const void *q) with these annotations is declared"
            ),
        ] as [(String, String?)])
    func functionPointers(annotations: String, reason: String?) throws {
        let description = try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                     "declarations": "int a(const void *p); int b(const void *p); int f(int (*g)(const void *q));",
                     "annotations": \(annotations)}
                    """))
        #expect(description.refusals.first { $0.name == "f" }?.reason == reason)
    }
}
