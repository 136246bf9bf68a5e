/// A name with the stars, brackets and parentheses around it.
struct Declarator {
    /// Whether there is a name.
    enum Naming {
        case named, unnamed, either
    }

    /// What is made of a type, step by step.
    enum Derivation {
        case pointer(CQualifiers)
        case array(ArrayLength)
        case function(CFunctionType)
    }

    /// What stands in brackets.
    struct ArrayLength {
        /// Nil in `[]`, and when it is only known at run time, as in `[count]`.
        var length: Int?
        /// `[static 4]`, for parameters.
        var isStatic = false
        /// Of the pointer that it becomes as a parameter.
        var qualifiers: CQualifiers = []
        let offset: Int
    }

    var name: String?
    /// Of the name, or where it would be.
    var offset: Int
    /// In the order in which they are applied to the type before the name.
    var derivations: [Derivation] = []
    var attributes = Attributes()
}
