/// Types whose form in payloads is fixed, so that there is no note about them.
enum WellKnownTypes {
    private static let names: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
        "Float", "String", "Character", "Substring", "Void", "Never", "Any", "Error", "Data", "Date", "URL", "UUID",
        "Decimal", "Duration", "Timestamp", "Payload", "PayloadView", "LinkObject", "LinkClosure", "Link",
        "ComponentContext", "CallContext", "LinkError", "Set", "Result", "Range", "ClosedRange", "Sendable",
    ]

    /// Whether the name needs no note: one of these, or a word that begins with a small letter, as authors of
    /// other languages write.
    static func contain(_ name: String) -> Bool {
        names.contains(name) || name.first?.isLowercase == true || name == "&"
    }
}
