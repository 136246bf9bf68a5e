import SwiftParser
import SwiftSyntax

/// An enum with raw values. A case is encoded as its raw value.
struct RawEnumModel: ModelContent {
    /// The raw types that the macro recognises.
    static let rawTypes: Set = [
        "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
        "Float",
    ]

    private let rawType: String
    private var cases: [(name: String, rawValue: String)] = []

    init(_ declaration: some DeclGroupSyntax, rawType: String) throws(MacroDiagnostic) {
        try declaration.refuseConditional(["case "], "cases")
        self.rawType = rawType
        var next = 0
        for member in declaration.memberBlock.members {
            for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
                let name = element.name.text.withoutBackticks
                let written = element.rawValue?.value
                if let text = written?.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
                    cases.append((name, text))
                } else if let written {
                    let text = written.trimmedDescription.replacing("_", with: "")
                    cases.append((name, text))
                    next = (Int(text) ?? next) + 1
                } else {
                    // As in Swift, an implicit number is one more than that of the previous case and starts at 0; an
                    // implicit string is the case's name.
                    cases.append((name, rawType == "String" ? name : "\(next)"))
                    next += 1
                }
            }
        }
    }

    func describe(in members: inout NoteMembers) {
        members.add("raw", rawType)
        members.add("cases", .object(cases.map { ($0.name, .string($0.rawValue)) }))
    }

    func conversions(access: String, type: String, lines: AuthorLines) -> String {
        """
        /// The raw value.
        \(access)var payload: ComponentKit.Payload { ComponentKit.__ModelCoding.payload(rawValue) }

        /// Reads the case by its raw value.
        \(access)init(payload: borrowing ComponentKit.PayloadView) throws(ComponentKit.PayloadError) {
            self = try ComponentKit.__ModelCoding.rawCase(of: \(type).self, payload)
        }
        """
    }
}
