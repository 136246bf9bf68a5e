import SwiftSyntax

/// An enum with raw values: the raw value.
struct RawEnumModel: ModelContent {
    /// The types that a raw value may have to be recognised.
    static let rawTypes: Set = [
        "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
        "Float",
    ]

    private let rawType: String
    private let names: [String]

    init(_ declaration: some DeclGroupSyntax, rawType: String) {
        self.rawType = rawType
        names = declaration.memberBlock.members.flatMap { member in
            member.decl.as(EnumCaseDeclSyntax.self)?.elements.map(\.name.text.withoutBackticks) ?? []
        }
    }

    func describe(in members: inout NoteMembers) {
        members.add("raw", rawType)
        members.add("cases", .object(names.map { ($0, .object([])) }))
    }

    func conversions(access: String, type: String) -> String {
        """
        /// The raw value.
        \(access)var payload: ComponentKit.Payload { ComponentKit.ModelCoding.payload(rawValue) }

        /// Reads the case by its raw value.
        \(access)init(payload: borrowing ComponentKit.PayloadView) throws(ComponentKit.PayloadError) {
            self = try ComponentKit.ModelCoding.rawCase(of: \(type).self, payload)
        }
        """
    }
}
