import ComponentHost
import ComponentKit
import SystemSupport

/// The source of a component in C or C++ that provides a service: its manifest, and one function for each selector,
/// which reads its parameters and answers with a sample.
struct ProviderSource {
    private let name: ScaffoldName
    private let contract: ProvidedContract
    private let isCxx: Bool
    private let samples: SampleValues
    private let scope: ModelPool.Scope
    /// The names of the functions, in the order of the selectors.
    private let functions: [String]

    init(_ name: ScaffoldName, _ contract: ProvidedContract, isCxx: Bool) {
        self.name = name
        self.contract = contract
        self.isCxx = isCxx
        samples = SampleValues(models: contract.models)
        scope = ModelPool.Scope(module: contract.service.module, owner: "")
        var taken = CNames()
        functions = contract.service.selectors.map { selector in
            taken.add(selector.kind == .class ? "class_\(selector.name)" : "answer_\(selector.name)")
        }
    }

    /// The words that call the first selector for which there are samples, quoted for a shell, without `hslink call`;
    /// nil if there is none.
    var call: String? {
        for selector in contract.service.selectors {
            let required = selector.parameters.filter { !WrittenType($0.type).mayBeMissing }
            let values = required.compactMap { parameter in
                samples.value(parameter.type, in: scope).flatMap { value in
                    let text = ValueArgument.isText(parameter.type) ? try? value.string() : try? value.json()
                    return text.map { "\(parameter.name)=\($0)".quotedForShell }
                }
            }
            guard values.count == required.count, samples.value(selector.result ?? "Void", in: scope) != nil else {
                continue
            }
            let kind = selector.kind == .class ? ["--class-method"] : []
            return ([name.linkClass, selector.name.quotedForShell] + values + kind).joined(separator: " ")
        }
        return nil
    }

    /// The words after `hslink` that make sure that the component answers, or at least that it has a manifest.
    var check: String { NewComponentCommand.command(call, name, in: ".build") }

    var text: String {
        let methods = zip(contract.service.selectors, functions).map { selector, function in
            let kind = selector.kind == .class ? "HSLINK_CLASS_METHOD" : "HSLINK_OBJECT_METHOD"
            return "    {HSLINK_LITERAL(\(selector.name.cLiteral)), \(kind), 0, \(function), NULL},"
        }
        let hasInstances = contract.service.selectors.contains { $0.kind == .object }
        return """
            /* \(name.text): provides \(contract.service.name.inComment).
             *
             * The rules for every function here are at the beginning of hslink.h. The host compares each payload with the
             * manifest first, so a parameter is there and has its type, unless it is optional or has a default.\
            \(isCxx ? " Catch what\n * you call: an exception that leaves a function here ends the process." : "") */
            #include "hslink.h"

            \(manifest)
            \(zip(contract.service.selectors, functions).map { function($0, named: $1) }.joined(separator: "\n"))
            static const hslink_method methods[] = {
            \(methods.joined(separator: "\n"))
            };
            \(hasInstances ? instance : "")
            static const hslink_class link_class = \
            HSLINK_CLASS("\(name.linkClass)", methods, \(hasInstances ? "make" : "NULL"), NULL);
            static const hslink_class *const classes[] = {&link_class};
            static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("\(name.text)", "0.1.0", classes, NULL, NULL);
            HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }

            """
    }

    private var manifest: String {
        let json: Payload = [
            "name": .string(name.text), "version": "0.1.0",
            "classes": [["name": .string(name.linkClass), "provides": [.string(contract.service.name)]]],
            "services": [contract.declarations.service], "models": .array(contract.declarations.models),
        ]
        let lines = ((try? json.json()) ?? "").jsonPieces.map(\.cLiteral)
        return "HSLINK_MANIFEST(\(lines.joined(separator: "\n                ")))\n"
    }

    private func function(_ selector: SelectorDeclaration, named function: String) -> String {
        var names = CNames(["context", "self", "payload", "call"])
        var lines: [String] = []
        var unused = ["context", "self"]
        for parameter in selector.parameters {
            let name = names.add(parameter.name)
            lines.append(
                "const hslink_value *\(name) = hslink_map_get(payload, \(parameter.name.cLiteral)); "
                    + "/* \(parameter.type.inComment) */")
            unused.append(name)
        }
        if selector.parameters.isEmpty { unused.append("payload") }
        let result = selector.result ?? "Void"
        var answer = CAnswer(names)
        let value = samples.value(result, in: scope).map { answer.expression($0) }
        lines += answer.lines
        lines.append(unused.map { "(void)\($0);" }.joined(separator: " "))
        if let value {
            lines.append("return hslink_return(call, \(value)); /* \(result.inComment) */")
        } else {
            lines.append("/* \(result.inComment) */")
            lines.append(
                "return hslink_fail(call, HSLINK_ERROR_FAILED, \("\(selector.name) is not written yet".cLiteral));")
        }
        let summary = selector.summary.map { "/* \($0.inComment) */\n" } ?? ""
        return """
            \(summary)static int32_t \(function)(void *context, hslink_object *self, const hslink_value *payload,
                    const hslink_call *call)\(isCxx ? " noexcept" : "") {
            \(lines.map { "    \($0)" }.joined(separator: "\n"))
            }

            """
    }

    /// The one instance that all callers share.
    private var instance: String {
        """

        /* The instance that all callers share. It has no state and lives as long as the process. */
        static void keep(hslink_object *self) { (void)self; }

        static int32_t invoke(hslink_object *self, hslink_string selector, const hslink_value *payload,
                              const hslink_call *call) {
            size_t index;
            for (index = 0; index < sizeof methods / sizeof methods[0]; index++) {
                const hslink_method *method = &methods[index];
                if (method->kind != HSLINK_OBJECT_METHOD || method->name.length != selector.length) continue;
                if (memcmp(method->name.utf8, selector.utf8, selector.length) != 0) continue;
                return method->function(method->context, self, payload, call);
            }
            return hslink_fail(call, HSLINK_ERROR_SELECTOR_NOT_FOUND, "there is no such selector");
        }

        static const hslink_object_type instance_type =
            HSLINK_OBJECT_TYPE("\(name.linkClass)", keep, keep, invoke, NULL);
        static hslink_object instance = {&instance_type};

        static int32_t make(void *context, void *component, hslink_object **made, const hslink_failure *failure) {
            (void)context; (void)component; (void)failure;
            *made = &instance;
            return 0;
        }

        """
    }
}

/// The statements that build a value in C.
private struct CAnswer {
    private(set) var lines: [String] = []
    private var names: CNames

    init(_ names: CNames) { self.names = names }

    /// Returns an expression for a value. It uses arrays that ``lines`` declare.
    mutating func expression(_ value: Payload) -> String {
        switch value.kind {
        case .bool: return "hslink_bool(\((try? value.bool()) == true ? 1 : 0))"
        case .int, .uint: return "hslink_int(\((try? value.int()) ?? 0))"
        case .double: return "hslink_double(\((try? value.double()) ?? 0))"
        case .string: return "hslink_text(\(((try? value.string()) ?? "").cLiteral))"
        case .bytes: return "hslink_bytes(NULL, 0)"
        case .date: return "hslink_date(0, 0)"
        case .array: return "hslink_array(NULL, 0)"
        case .map:
            let entries = (try? value.entries()) ?? []
            guard !entries.isEmpty else { return "hslink_map(NULL, 0)" }
            let items = entries.map { "    hslink_entry_make(\($0.key.cLiteral), \(expression($0.value)))," }
            let name = names.add("entries")
            lines += ["const hslink_entry \(name)[] = {"] + items + ["};"]
            return "hslink_map(\(name), \(entries.count))"
        case .null, .object, .unknown: return "hslink_null()"
        }
    }
}

/// Names for C, each used once.
private struct CNames {
    private var taken: Set<ExactText>

    /// Words that are no names in C or C++, and macros of the headers.
    private static let reserved = [
        "NULL", "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case",
        "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl",
        "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default",
        "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float",
        "for", "friend", "goto", "if", "inline", "int", "linux", "long", "mutable", "namespace", "new", "noexcept",
        "not", "not_eq", "nullptr", "offsetof", "operator", "or", "or_eq", "private", "protected", "public", "register",
        "reinterpret_cast", "requires", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert",
        "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
        "typeid", "typename", "typeof", "union", "unix", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
        "while", "xor", "xor_eq",
    ]

    init(_ taken: [String] = []) { self.taken = Set((taken + CNames.reserved).map { ExactText($0) }) }

    /// Returns a name made from a text, and takes it.
    mutating func add(_ text: String) -> String {
        var name = String(decoding: text.utf8.map { $0.isLetterOrDigitInASCII ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        // Other names are not for authors.
        let isFree = name.utf8.first.map(\.isLetterInASCII) ?? false
        if !isFree || name.lowercased().hasPrefix("hslink_") { name = "value_\(name)" }
        let base = name
        var number = 1
        while !taken.insert(ExactText(name)).inserted {
            number += 1
            name = "\(base)_\(number)"
        }
        return name
    }
}

extension UInt8 {
    fileprivate var isLetterInASCII: Bool { isLetterOrDigitInASCII && self > UInt8(ascii: "9") }
}

extension String {
    /// The text as a string literal in C.
    fileprivate var cLiteral: String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in utf8 {
            switch byte {
            // Two question marks may begin a trigraph.
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "?"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 8)
                bytes += "\\\(String(repeating: "0", count: 3 - digits.utf8.count))\(digits)".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
    }

    /// The text as part of a comment, which it cannot end.
    fileprivate var inComment: String { escaped.replacing("*/", with: "* /").replacing("/*", with: "/ *") }

    /// JSON without line breaks, in pieces that are as long as a line, unless a string is longer.
    fileprivate var jsonPieces: [String] {
        var pieces: [String] = []
        var piece: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in utf8 {
            piece.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            }
            guard !isInString, byte == UInt8(ascii: ","), piece.count > 60 else { continue }
            pieces.append(String(decoding: piece, as: UTF8.self))
            piece = []
        }
        return pieces + (piece.isEmpty ? [] : [String(decoding: piece, as: UTF8.self)])
    }
}
