import ComponentHost
import ManifestRules

/// The name of a component or a host that is to be made. It is a component's name and the name of a Swift module, also
/// where the component is in another language: a rewrite in Swift need not rename it.
struct ScaffoldName: Hashable {
    let text: String

    /// The class that others call.
    var linkClass: String { text.hasSuffix("Link") ? text : text + "Link" }

    /// The type for the component's life; never the link class.
    var lifeType: String { text == linkClass ? text + "Component" : text }

    /// Names of files may have up to 255 bytes, with what is put before and behind this one.
    private static let longest = 64

    /// - Throws: an error that says what is wrong with the name, and which would do.
    init(_ text: String) throws(ScaffoldNameError) {
        if let reason = ScaffoldName.objection(to: text) {
            throw ScaffoldNameError(reason: reason, proposal: ScaffoldName.proposal(for: text))
        }
        self.text = text
    }

    /// What is wrong with a name; nil when nothing is.
    private static func objection(to text: String) -> String? {
        if text.isEmpty { return "the name is empty" }
        if text.utf8.count > longest { return "expected at most \(longest) characters, found \(text.utf8.count)" }
        if TextRule.componentName.allows(text), let sign = text.first(where: { $0 == "-" || $0 == "." }) {
            return "a Swift module cannot have '\(sign)' in its name"
        }
        guard TextRule.componentName.allows(text) else {
            return "expected letters A-Z and a-z, digits and '_', a letter first"
        }
        if keywords.contains(text) { return "it is a keyword of Swift" }
        if taken.contains(text) { return "Swift, or HSLink, has a module or a type of this name" }
        return nil
    }

    /// The name nearest to `text` that can be taken; nil when there is nothing left of it, or letters of other
    /// alphabets would be lost.
    private static func proposal(for text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = text.utf8.split { !($0 == UInt8(ascii: "_") || $0.isLetterOrDigit) }.map { String(Substring($0)) }
        var name = parts.count > 1 ? parts.map(\.capitalizedAtStart).joined() : parts.first ?? ""
        name = String(name.drop { !$0.isLetter }.prefix(longest))
        if objection(to: name) != nil { name = name.capitalizedAtStart + "Component" }
        return name == "Component" || objection(to: name) != nil ? nil : name
    }

    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case", "catch",
        "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "macro",
        "nil", "open", "operator", "package", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
        "return", "self", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
        "typealias", "var", "where", "while",
    ]

    /// Modules that are compiled into components, hosts or their tests, and types that what is made, or what macros
    /// make of it, names.
    private static let taken: Set<String> = [
        "Builtin", "Dispatch", "Distributed", "Foundation", "FoundationEssentials", "Glibc", "Observation",
        "PackageDescription", "RegexBuilder", "Swift", "Synchronization", "Testing", "XCTest", "main",
        "CDeclarations", "CFFI", "CGlibc", "CHSLink", "CHostThread", "ComponentHost", "ComponentKit", "ComponentMacros",
        "ForeignFunctions", "HSLink", "Instrumentation", "Logging", "ServiceContextModule", "SwiftSyntax", "Tracing",
        "Array", "Bool", "Bytes", "Call", "CallContext", "Codable", "Component", "ComponentContext",
        "ComponentLayer", "ComponentRequirement", "Data", "Date", "Dictionary", "Double", "Duration", "Equatable",
        "Error",
        "Float", "HSLinkClass", "Hashable", "InstancePolicy", "Int", "Link", "LinkClass", "LinkClosure", "LinkError",
        "LinkHost", "LinkMethod", "LinkObject", "LinkService", "MethodReply", "Model", "Never", "Optional", "Payload",
        "PayloadConvertible", "PayloadError",
        "PayloadReading", "PayloadView", "ProvidedClass", "Reply", "Result", "Selector", "SelectorTrait", "Sendable",
        "ServiceClient", "Set", "StaticString", "String", "Suite", "Task", "Test", "URL", "UUID", "Void",
    ]
}

/// Why something cannot have a name.
struct ScaffoldNameError: Error {
    let reason: String
    /// A name that would do, where there is one near.
    let proposal: String?

    var message: String { reason + (proposal.map { "; '\($0)' would do" } ?? "") }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}

extension String {
    fileprivate var capitalizedAtStart: String { prefix(1).uppercased() + dropFirst() }
}
