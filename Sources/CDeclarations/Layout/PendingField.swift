/// A field that was read and has no offset yet.
struct PendingField {
    /// Nil for a struct or union inside that has no name.
    let name: String?
    let type: CType
    /// What an attribute of the field asks for at least.
    let alignment: Int?
    /// Whether it has the attribute `packed` of its own.
    let isPacked: Bool
    /// Of a name, for failures.
    let offset: Int
}
