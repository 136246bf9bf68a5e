/// What a description says about a parameter, a result, or a function, beyond its declaration in C.
///
/// The keywords of an annotation come in any order, each at most once:
///
///     annotation = { word }
///     word       = "in" | "out" | "inout"                     which way a pointer's target goes
///                | "string" [ room ]                          text that ends with a NUL
///                | "bytes" room                               so many bytes
///                | "items" room                               so many values of the type pointed to, as an array
///                | "value"                                    one value of the type pointed to
///                | "handle" [ "(" name ")" ]                  a pointer that is only passed around; its kind
///                | "new"                                      a struct of its own, which lives as long as its handle
///                | "null" | "context" | "ignored"             a null pointer; some pointer; a result that is dropped
///                | "=" formula                                always this, not a parameter for callers
///                | "printf" "(" name ")" | "(" C types ")"    what "..." takes
///                | "nullable"                                 null may be given
///                | "free" [ "(" function ")" ]                what gives a result's memory back
///                | "keeps" name | "of" name                   a handle that keeps another, or is a part of it
///                | "kept" [ "by" name ]                       a callback that outlives the call
///                | "error" ( "if" | "unless" ) test { "|" test } [ "message" formula ]
///                | "else" formula                             what a callback returns when it fails
///                | "quick" | "errno"                          of a whole function, under the key "()"
///     room       = "[" formula [ ";" formula ] "]"            how much there is; how much of it is used afterwards
///     test       = [ "<" | "<=" | ">" | ">=" ] formula | "null"
///     formula    = product { ("+" | "-") product }
///     product    = factor { "*" factor }
///     factor     = number | "'text'" | name | "-" factor | "sizeof" "(" C type ")" | "(" formula ")"
///                | function "(" [ formula { "," formula } ] ")"
///
/// A name is a parameter, a field of a struct behind a handle ("strm.avail_in"), `return`, a constant, or, behind the
/// ";" of a room, `room`: how much there was. A length that is the bare name of a parameter ties the two: the parameter
/// is filled in from the data.
///
/// The annotation of a parameter stands under its name; those of what is inside under a path: "callback.text" for a
/// parameter of a callback, "callback.return" for its result, "functions.read" for a function in a struct,
/// "strm.next_in" for a field of a struct behind a handle, which callers then give, and get, by this very name.
struct Annotation: Sendable {
    enum Direction: String, Sendable {
        case `in`, out, `inout`
    }

    /// How much there is, and how much of it counts afterwards.
    struct Room: Sendable {
        let size: Formula
        let used: Formula?
    }

    /// What the value is.
    enum Shape: Sendable {
        case string(Room?)
        case bytes(Room)
        case items(Room)
        case value
        /// The kind, where it is not the type's name.
        case handle(String?)
        case new
        case null
        case context
        case ignored
        case constant(Formula)
        /// The parameter with the format.
        case printf(String)
        /// Types as C writes them, separated by commas.
        case types(String)
    }

    /// How long something lives beyond the call.
    enum Bond: Sendable {
        /// The new handle keeps this one.
        case keeps(String)
        /// The handle is a part of this one, and is not released by itself.
        case partOf(String)
        /// The callback lives as long as this handle does; nil: as the process does.
        case keptBy(String?)
    }

    var direction: Direction?
    var shape: Shape?
    var isNullable = false
    var bond: Bond?
    /// The function that takes memory back.
    var release: String?
    var errorRule: ErrorRule?
    var fallback: Formula?
    var isQuick = false
    var wantsErrno = false
}

/// When a result means that the call failed.
struct ErrorRule: Sendable {
    enum Comparison: String, Sendable {
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case equal = "="
    }

    struct Test: Sendable {
        let comparison: Comparison
        let value: Formula
    }

    /// Whether the tests say what success is.
    let isUnless: Bool
    let tests: [Test]
    let message: Formula?
}

/// A number that is computed at each call from parameters and results, or a text.
indirect enum Formula: Sendable, Hashable {
    case number(Int64)
    case text(String)
    /// A parameter, `return`, or a constant.
    case name(String)
    /// The size of a type as C names it.
    case sizeOf(String)
    case sum(Formula, Formula)
    case difference(Formula, Formula)
    case product(Formula, Formula)
    /// Another function of the library.
    case call(String, [Formula])

    /// The functions that it calls.
    var functions: Set<String> {
        switch self {
        case .number, .text, .name, .sizeOf: []
        case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
            left.functions.union(right.functions)
        case .call(let name, let arguments): arguments.reduce(into: [name]) { $0.formUnion($1.functions) }
        }
    }
}
