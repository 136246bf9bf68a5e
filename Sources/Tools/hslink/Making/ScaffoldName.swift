import ComponentHost
import ManifestRules
import SystemSupport

/// The name of a component or host to create. It is also a valid Swift module name, even for a component in another
/// language, so that a rewrite in Swift can keep it.
struct ScaffoldName: Hashable {
    let text: String

    /// The name of the link class.
    var linkClass: String { text.hasSuffix("Link") ? text : text + "Link" }

    /// The name of the type marked `@Component`, which differs from the link class.
    var lifeType: String { text == linkClass ? text + "Component" : text }

    /// The name of a contract's module.
    var contract: String { text.hasSuffix("Contract") ? text : text + "Contract" }

    /// The scheme of the component's URLs.
    var scheme: String { text.lowercased() }

    /// The maximum length. File names, which add prefixes and suffixes, are limited to 255 bytes.
    private static let longest = 64

    /// - Throws: a ``ScaffoldNameError`` with the reason and a valid alternative.
    init(_ text: String) throws(ScaffoldNameError) {
        if let reason = ScaffoldName.objection(to: text) {
            throw ScaffoldNameError(reason: reason, proposal: ScaffoldName.proposal(for: text))
        }
        self.text = text
    }

    private init(valid text: String) { self.text = text }

    /// Returns the name of a part of what is created, which may be longer than other names.
    func part(_ suffix: String) -> ScaffoldName { ScaffoldName(valid: text + suffix) }

    /// Returns what is wrong with a name; nil if it is valid.
    private static func objection(to text: String) -> String? {
        if text.isEmpty { return "the name is empty" }
        if text.utf8.count > longest { return "expected at most \(longest) characters, found \(text.utf8.count)" }
        if TextRule.componentName.allows(text), let sign = text.first(where: { $0 == "-" || $0 == "." }) {
            return "a Swift module cannot have '\(sign)' in its name"
        }
        if text == TextRule.hostName { return "hosts log and count themselves under this name" }
        guard TextRule.componentName.allows(text) else {
            return "expected letters A-Z and a-z, digits and '_', starting with a letter"
        }
        if keywords.contains(text) { return "the name is a Swift keyword" }
        if taken.contains(text) { return "Swift or HSLink has a module or type with this name" }
        return nil
    }

    /// Returns a valid name similar to `text`; nil if nothing would be left of it or letters from other alphabets would
    /// be lost.
    private static func proposal(for text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = text.utf8.split { !($0 == UInt8(ascii: "_") || $0.isLetterOrDigitInASCII) }.map {
            String(Substring($0))
        }
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

    /// Modules that are compiled into components, hosts or their tests, and types that the created code or its macro
    /// expansions refer to.
    /// SwiftPM builds no package with a target that is named like one of its dependencies, used or not, so all
    /// targets of HSLink are here.
    private static let taken: Set<String> = [
        "Builtin", "Dispatch", "Distributed", "Foundation", "FoundationEssentials", "Glibc", "Observation",
        "PackageDescription", "RegexBuilder", "Swift", "Synchronization", "Testing", "XCTest", "main",
        "CDeclarations", "CFFI", "CGlibc", "CHSLink", "CHostThread", "ComponentCatalog", "ComponentHost",
        "ComponentKit", "ComponentMacros", "ForeignFunctions", "HSLink", "Instrumentation", "Logging",
        "ServiceContextModule", "SwiftSyntax", "Tracing",
        "BenchComponent", "BenchContract", "CAllocations", "CheckModels", "ComponentConsole", "ComponentImage",
        "ComponentImageContract", "ComponentOwner", "ComponentOwnerContract", "ComponentPages", "ComponentVideo",
        "ComponentVideoContract", "ComponentWeb", "EMAccount", "EMAccountContract", "FixtureComponent",
        "FixtureContract", "HeaderImport", "HostContract", "HostControl", "HostTestSupport", "ManifestRules",
        "ModelDrift", "NXKit", "NXService", "NXServiceContract", "NXStorage", "NXUI", "NXUIContract", "NightUI",
        "PackageLayers", "PageKit", "ProgramRunning", "Routing", "SystemSupport", "TestSupport", "hslink",
        "Array", "Bool", "Bytes", "Call", "CallContext", "Codable", "Component", "ComponentContext",
        "ComponentLayer", "ComponentRequirement", "Data", "Date", "Dictionary", "Double", "Duration", "Equatable",
        "Error",
        "Float", "HSLinkClass", "Hashable", "InstancePolicy", "Int", "Intercepts", "Link", "LinkClass", "LinkClosure",
        "LinkError", "LinkHost", "LinkMethod", "LinkObject", "LinkService", "MethodReply", "Model", "Never", "Optional",
        "Payload",
        "PayloadConvertible", "PayloadError",
        "PayloadReading", "PayloadView", "ProvidedClass", "Reply", "Result", "Route", "Selector", "SelectorTrait",
        "Sendable", "ServiceClient", "Set", "StaticString", "String", "Suite", "Task", "Test", "URL", "UUID", "Void",
    ]
}

/// The error for an invalid name.
struct ScaffoldNameError: Error {
    let reason: String
    /// A similar valid name; nil if there is none.
    let proposal: String?

    var message: String { reason + (proposal.map { "; try '\($0)'" } ?? "") }
}

extension String {
    fileprivate var capitalizedAtStart: String { prefix(1).uppercased() + dropFirst() }
}
