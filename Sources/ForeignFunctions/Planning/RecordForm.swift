/// A struct or union: its fields with their places.
final class RecordForm: Sendable {
    struct Field: Sendable {
        let name: String
        let offset: Int
        let form: ValueForm
    }

    /// As C names it.
    let name: String
    let size: Int
    let alignment: Int
    let isUnion: Bool
    let fields: [Field]

    init(name: String, size: Int, alignment: Int, isUnion: Bool, fields: [Field]) {
        self.name = name
        self.size = size
        self.alignment = alignment
        self.isUnion = isUnion
        self.fields = fields
    }
}
