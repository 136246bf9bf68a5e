import ComponentHost
import ComponentKit
import ForeignFunctions
import TestSupport
import Testing

@Suite("What a description must say")
struct QuestionTests {
    struct Asked: Sendable {
        let declarations: String
        let annotations: String
        /// The parameter, and the annotations that are proposed for it; empty if nothing is asked.
        let questions: [String: [String]]
        let reason: String?

        init(
            _ declarations: String, _ annotations: String = "{}", _ questions: [String: [String]] = [:],
            _ reason: String? = nil
        ) {
            self.declarations = declarations
            self.annotations = annotations
            self.questions = questions
            self.reason = reason
        }
    }

    private static let lengths: [Asked] = [
        Asked(
            "struct p; int f(struct p *parser, const char *s, int len, int isFinal);", "{}",
            ["s": ["string[len]", "bytes[len]", "string"]],
            #"s: const char * needs an annotation, because "len" may be its length: "string[len]", "bytes[len]" or "string" (a NUL ends the text, and "len" is something else)"#
        ),
        Asked("int f(const char *s, int len);", #"{"f": {"s": "string"}}"#),
        Asked("int f(const char *s, int len);", #"{"f": {"s": "string[len]"}}"#),
        Asked("int f(const char *s, int len);", #"{"f": {"len": "= -1"}}"#),
        Asked("int f(const char *s, const void *d, int len);", #"{"f": {"d": "bytes[len]"}}"#),
        Asked(
            "int f(const char *s, int len);", #"{"f": {"s": "nullable"}}"#,
            ["s": ["nullable string[len]", "nullable bytes[len]", "nullable string"]]),
        Asked("int f(const char *s, int isFinal, int flags, long number, bool size, char n);"),
        Asked("enum e { A }; int f(const char *s, enum e count, double size);"),
        // An integer without a name after a text may be its length.
        Asked("int f(const char *, int);", "{}", ["arg1": ["string[arg2]", "bytes[arg2]", "string"]]),
        Asked("int f(const char *, int a, int);"),
        Asked("int f(size_t size, const void *data);", "{}", ["data": ["bytes[size]"]]),
        Asked(
            "int f(void *data, size_t size);", "{}", ["data": ["out bytes[size]", "bytes[size]", "inout bytes[size]"]]),
        Asked("int f(const uint8_t *data, size_t size);", "{}", ["data": ["bytes[size]", "string[size]"]]),
        Asked(
            "int f(char *text, size_t size);", "{}",
            ["text": ["out string[size]", "string[size]", "bytes[size]", "inout string[size]", "string"]]),
        Asked("int f(const int *v, size_t n);", "{}", ["v": ["items[n]", "in"]]),
        Asked("struct s { int a; }; int f(const struct s *list, size_t n);", "{}", ["list": ["items[n]", "in"]]),
        Asked("struct s { int a; }; int f(const struct s *list, size_t n);", #"{"f": {"list": "in"}}"#),
        Asked("struct s; int f(const struct s *handle, size_t n);"),
        // Several lengths: the one with the same word, else the next.
        Asked(
            "int f(uint8_t *dest, unsigned long *destLen, const uint8_t *source, unsigned long sourceLen);", "{}",
            [
                "dest": ["out bytes[destLen]", "bytes[destLen]", "inout bytes[destLen]", "string[destLen]"],
                "destLen": ["inout", "out", "in"], "source": ["bytes[sourceLen]", "string[sourceLen]"],
            ]),
        // Callbacks, and what they get.
        Asked(
            "int f(void (*g)(void *data, const char *s, int len), void *data);", #"{"f": {"data": "context"}}"#,
            ["g.data": ["context", "bytes[len]"], "g.s": ["string[len]", "bytes[len]", "string"]]),
        Asked(
            "int f(void (*g)(void *data, const char *s, int len), void *data);",
            #"{"f": {"data": "context", "g.data": "context", "g.s": "string[len]"}}"#),
        // Results.
        Asked(
            "const char *f(size_t *len);", #"{"f": {"len": "out"}}"#,
            ["return": ["string[len]", "bytes[len]", "string"]]),
        Asked("const char *f(size_t *len);", #"{"f": {"len": "out", "return": "string"}}"#),
        // Text in structs.
        Asked(
            "struct s { const char *t; int len; }; int f(const struct s *a);", "{}",
            ["a.t": ["string[len]", "bytes[len]", "string"]],
            #"a: t: const char * in struct s needs an annotation, because "len" may be its length: "string[len]", "bytes[len]" or "string" (a NUL ends the text, and "len" is something else)"#
        ),
        Asked("struct s { const char *t; int len; }; int f(struct s a);", #"{"f": {"a.t": "string"}}"#),
        Asked(
            "struct s { const char *t; int len; }; struct s f(int a);", "{}",
            ["return.t": ["string[len]", "bytes[len]", "string"]]),
        Asked(
            "struct s { const char *t; int len; }; int f(int (*g)(const struct s *a));",
            #"{"f": {"g.a.t": "bytes[len]"}}"#),
        Asked(
            "struct s { const char *t; int len; }; int f(const struct s *a, int n);",
            #"{"f": {"a": "items[n]", "a.t": "string[len]"}}"#),
        // Arrays that end with a null pointer.
        Asked("int f(const char *const *list);", "{}", ["list": ["items[null]"]]),
        Asked("int f(char **list);", #"{"f": {"list": "items[null]"}}"#),
        Asked("const char *const *f(int a);", #"{"f": {"return": "items[null]"}}"#),
        // What a function leaves in the place of an error.
        Asked(
            "int f(char **errmsg);", "{}",
            ["errmsg": ["error unless null message errmsg", "out string", "null"]]),
        Asked("struct e; int f(struct e **error);", "{}", ["error": ["error unless null", "out", "null"]]),
        Asked("struct e; int f(struct e **error);", #"{"f": {"error": "error unless null"}}"#),
        Asked("int f(const char *format, ...);", "{}", ["...": ["printf(format)"]]),
    ]

    private static let names = [
        "len", "length", "size", "n", "count", "num", "sz", "buf_len", "sourceLen", "numItems", "nbytes", "nByte",
        "n_items", "size_of_it", "__n", "len2", "buflen", "strLength",
    ].map { Asked("int f(const char *s, int \($0));", "{}", ["s": ["string[\($0)]", "bytes[\($0)]", "string"]]) }

    @Test("a pointer beside an integer that may be its length", arguments: lengths + names)
    func pointer(asked: Asked) throws { try check(asked) }

    private static let keeping: [Asked] = [
        Asked("struct h; struct h *f(const char *t);", #"{"f": {"t": "copied"}}"#),
        Asked(
            "struct h; struct h *f(const char *t);", "{}", ["t": ["kept by return", "copied"]],
            #"t: const char * needs an annotation, because the library may use it after the call: "kept by return", or "copied" if it does not"#
        ),
        Asked(
            "struct r; struct m; int f(const struct r *r, const char *t, int o, struct m **m);",
            #"{"f": {"m": "out"}}"#,
            ["t": ["kept by m", "copied", "kept by r"], "m": ["out of r", "out keeps r", "out handle"]]),
        Asked(
            "struct h; struct h *f(const void *d, int len);", #"{"f": {"d": "bytes[len]"}}"#,
            ["d": ["bytes[len] kept by return", "bytes[len] copied"]]),
        Asked(
            "struct h; struct h *f(const char *const *t, int n);", #"{"f": {"t": "items[n] nullable"}}"#,
            ["t": ["items[n] nullable kept by return", "items[n] nullable copied"]]),
        Asked(
            "struct h; struct h *f(const char *t, int len);", "{}",
            [
                "t": [
                    "string[len] kept by return", "string[len] copied", "bytes[len] kept by return",
                    "bytes[len] copied", "string kept by return", "string copied",
                ]
            ]),
        Asked(
            "struct z { int a; }; int f(struct z *z, const char *t);", #"{"f": {"z": "new"}}"#,
            ["t": ["kept by z", "copied"]]),
        Asked("struct z { int a; }; int f(struct z *z, const char *t);", #"{"f": {"z": "new", "t": "= 'a'"}}"#),
        Asked("struct h; struct h *f(struct h *h, int n);", #"{"f": {"return": "handle"}}"#),
        Asked("struct h; struct h *f(int a); int g(struct h *h, const char *t);"),
        Asked("struct h; struct h *f(char *t, int len);", #"{"f": {"t": "out string[len]"}}"#),
        Asked("struct h; struct h *f(const char *t);", #"{"f": {"return": "ignored"}}"#),
    ]

    @Test("data that goes into a call that returns a handle", arguments: keeping)
    func data(asked: Asked) throws { try check(asked) }

    private static let releases: [Asked] = [
        Asked(
            "struct h; void h_destroy(struct h *h);", "{}", ["h": ["released", "handle"]],
            #"h: struct h * needs an annotation, because h_destroy may release it: "released", or "handle" if it can be used after that; or name h_destroy in "handles""#
        ),
        Asked("struct h; void h_destroy(struct h *h);", #"{"h_destroy": {"h": "handle"}}"#),
        Asked("struct h; void h_destroy(struct h *h);", #"{"h_destroy": {"h": "released"}}"#),
        Asked("struct h; void FcThingDestroy(struct h *);", "{}", ["arg1": ["released", "handle"]]),
        Asked("struct h; int fclose(struct h *f);", "{}", ["f": ["released", "handle"]]),
        Asked("struct h; int closeit(struct h *f);", "{}", ["f": ["released", "handle"]]),
        Asked("struct h; void thing_unref(struct h *h);", "{}", ["h": ["released", "handle"]]),
        // What takes nothing else gives a reference back; others put something into an object.
        Asked("struct h; int json_object_put(struct h *h);", "{}", ["h": ["released", "handle"]]),
        Asked("struct h; int table_put(struct h *h, int key); int put_back(struct h *h);"),
        Asked(
            "struct d; struct g; int XFreeGC(struct d *display, struct g *gc);", "{}",
            ["display": ["handle", "released"], "gc": ["released", "handle"]]),
        // Numbers and texts tell which part is meant; what C only reads is not released.
        Asked("struct d; int XDestroyWindow(struct d *display, unsigned long window);"),
        Asked("struct p; int FcPatternDelete(struct p *p, const char *object);"),
        Asked("struct h; int h_is_free(const struct h *h);"),
        Asked("struct h; int h_freeze(struct h *h); int h_closed(struct h *h); int extend(struct h *h);"),
        Asked("struct h; struct h *h_new(void); int h_use(struct h *h);"),
        // "end" and the like may be the name of what is read or changed.
        Asked("struct n; int node_get_end_line(struct n *node); int node_set_term(struct n *node, int a);"),
        Asked("struct h; int session_end(struct h *h);", "{}", ["h": ["released", "handle"]]),
    ]

    @Test("a handle that a function may release", arguments: releases)
    func release(asked: Asked) throws { try check(asked) }

    private static let fields: [Asked] = [
        Asked(
            "struct s { int nobject; const char **objects; }; int f(const struct s *s);", "{}",
            ["s.objects": ["items[nobject]"]],
            #"s: objects: const char ** in struct s needs an annotation: "items[null]", "items[nobject]" or "null""#),
        Asked("struct s { void *data; int rem; }; int f(struct s s);", "{}", ["s.data": ["null"]]),
        Asked("struct s { void *data; size_t data_size; }; int f(struct s s);", "{}", ["s.data": ["bytes[data_size]"]]),
        Asked("struct s { void *data; int rem; }; int f(struct s s);", #"{"f": {"s.data": "null"}}"#),
        Asked("struct s { int (*call)(int); }; int f(const struct s *s);", "{}", ["s.call": ["null"]]),
        Asked("struct t { int *p; }; struct s { struct t t; }; int f(struct s s);", "{}", ["s.t.p": ["null"]]),
        Asked(
            "struct s { const char *text; int len; }; struct t { struct s s; }; struct t f(void);", "{}",
            ["return.s.text": ["string[len]", "bytes[len]", "string"]]),
        // What is not passed asks nothing.
        Asked("struct s { void *data; int rem; }; struct s f(void); const struct s *g(void);"),
        Asked("struct s { void *data; int rem; }; int f(struct s *s);", #"{"f": {"s": "out"}}"#),
        Asked("struct s { int a; void *reserved; void *reserved_ptr1; }; int f(struct s s);"),
        Asked("struct s { struct s *next; }; int f(struct s s);", "{}", ["s.next": ["null"]]),
    ]

    @Test("a pointer in a struct that goes in", arguments: fields)
    func field(asked: Asked) throws { try check(asked) }

    private func check(_ asked: Asked) throws {
        let description = try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                     "declarations": "\(asked.declarations)", "annotations": \(asked.annotations)}
                    """))
        let refusal = description.refusals.first
        let found = Dictionary(
            (refusal?.questions ?? []).map { ($0.parameter, $0.annotations) }, uniquingKeysWith: { $0 + $1 })
        #expect(found == asked.questions, "\(refusal?.reason ?? "none")")
        #expect((refusal == nil) == asked.questions.isEmpty, "\(refusal?.reason ?? "none")")
        if let reason = asked.reason { #expect(refusal?.reason == reason) }
    }

    @Test("a call that is left out says what the description must say")
    func call() async throws {
        let text = """
            {"name": "text", "version": "1.0.0", "library": "./libPlainFunctions.so", "class": "Text",
             "declarations": "int32_t plain_words(const char *text, int32_t length, void (*word)(void *context, const char *text, int32_t length), void *context);",
             "annotations": {"plain_words": {"word.context": "context", "word.text": "string[length]", "context": "context"}},
             "rename": {"plain_words": "words"}}
            """
        try await withDescription(text) { host async throws in
            let word = host.link.typedClosure { (_: String, _: Int) -> Payload in .null }
            let payload: Payload = ["text": "a", "length": 100_000_000, "word": word]
            let error = await failure { try await host.call("Text", "words", payload) }
            #expect(error?.code == .selectorNotFound)
            #expect(
                error?.message.hasPrefix(
                    "the function cannot be called: text: const char * needs an annotation, because \"length\" may be its length: \"string[length]\", "
                ) == true, "\(error?.message ?? "none")")
        }
    }

    @Test(
        "names that mean nothing are refused with the nearest one",
        arguments: [
            (
                "{}", #"{"Nod": "close_node"}"#,
                #"Nod: "handles" says how it is released, but it is not a handle kind; did you mean "Node"?"#
            ),
            ("{}", #"{"int": "close_node"}"#, #"int: "handles" says how it is released, but it is not a handle kind"#),
            ("{}", #"{"node": "close_node"}"#, nil),
            ("{}", #"{"struct node": "close_node"}"#, nil),
            (#"{"get": {"node": "handle(Thing)"}}"#, #"{"Thing": "close_node"}"#, nil),
            (
                "{}", #"{"Node": "close_nod"}"#,
                #"close_nod: it is used to release something, but has no valid declaration; did you mean "close_node"?"#
            ),
            (
                #"{"gett": {"node": "in"}}"#, "{}",
                #"gett: it has annotations, but no valid declaration; did you mean "get"?"#
            ),
            (#"{"get": {"nodes": "nullable"}}"#, "{}", #"get: there is no parameter "nodes"; did you mean "node"?"#),
            (#"{"get": {"node": "nulable"}}"#, "{}", #"found "nulable" at byte 1; did you mean "nullable"?"#),
            (#"{"each": {"g.valu": "in"}}"#, "{}", #"the callback has no parameter "valu"; did you mean "value"?"#),
            (
                #"{"read": {"p": "out bytes[roon]"}}"#, "{}",
                #"there is no parameter or constant "roon"; did you mean "room"?"#
            ),
            (
                #"{"read": {"p": "out bytes[close_noda(p)]"}}"#, "{}",
                #"close_noda is not declared; did you mean "close_node"?"#
            ),
        ])
    func misspelt(annotations: String, handles: String, reason: String?) throws {
        let description = try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                     "declarations": "typedef struct node Node; int get(Node *node); void close_node(Node *node); void each(void (*g)(int value)); int read(uint8_t *p, int room);",
                     "annotations": \(annotations == "{}" ? #"{"read": {"p": "out bytes[room]"}}"# : annotations), "handles": \(handles)}
                    """))
        let lines = description.refusals.map { "\($0.name): \($0.reason)" }
        if let reason { #expect(lines.contains { $0.hasSuffix(reason) }, "\(lines)") }
        #expect(reason != nil || !lines.contains { $0.contains("handles") }, "\(lines)")
    }

    @Test("an unknown key of a call is refused with the nearest parameter")
    func key() async throws {
        try await withLibraries("zlib") { host async throws in
            let error = await failure { try await host.call("Zlib", "crc32", ["crc": 0, "buff": "a", "buf": "a"]) }
            #expect(
                error?.message
                    == "buff: expected one of the parameters crc, buf, found an unknown parameter; did you mean \"buf\"?"
            )
        }
    }
}
