/// What was made of a header.
package struct ImportedHeader: Sendable {
    /// Something that is missing, with the reason.
    package struct Omission: Sendable, Hashable {
        package let name: String
        package let reason: String
    }

    /// Types, constants and functions, each with its semicolon or as a `#define`, in an order that C takes.
    package let declarations: [String]
    /// The names of the functions in it.
    package let functions: [String]
    /// How many constants there are, of enums and macros.
    package let constantCount: Int
    /// Functions that can't be called.
    package let omissions: [Omission]
    /// Structs that only their names are known of.
    package let opaque: [Omission]
}
