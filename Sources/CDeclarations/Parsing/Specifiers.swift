/// What stands before the names of a declaration.
struct Specifiers {
    enum Storage {
        case typedef, `extern`, `static`, other
    }

    var type: CType
    var storage: Storage?
    var isInline = false
    var attributes = Attributes()
    /// The struct or union that these specifiers define without a tag: a typedef names it.
    var unnamed: CRecord?
    /// The enum that they define without a tag.
    var unnamedEnumeration = false
    /// Whether they declare something by themselves: a tag, or the constants of an enum.
    var declaresTag = false
}
