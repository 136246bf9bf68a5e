/// A struct or union: its fields with their places.
final class RecordForm: Sendable {
    struct Field: Sendable {
        let name: String
        let offset: Int
        let form: ValueForm
        /// Whether null may be given, and the field be left out.
        let isNullable: Bool
    }

    /// As C names it.
    let name: String
    let size: Int
    let alignment: Int
    let isUnion: Bool
    let fields: [Field]
    /// A field that shares its place with a pointer; nil for none. Nobody could tell whether what is written there is
    /// taken for the pointer, so nothing is.
    let sharedField: String?
    /// How many values of a payload it becomes.
    let valueCount: Int

    init(name: String, size: Int, alignment: Int, isUnion: Bool, fields: [Field], sharedField: String?) {
        self.name = name
        self.size = size
        self.alignment = alignment
        self.isUnion = isUnion
        self.fields = fields
        self.sharedField = sharedField
        valueCount = fields.reduce(1) { count, field in
            let (sum, overflow) = count.addingReportingOverflow(field.form.valueCount)
            return overflow ? Int.max : sum
        }
    }
}
