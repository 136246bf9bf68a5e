/// Information about a parameter, a result or a function that its C declaration does not express.
///
/// The keywords of an annotation may come in any order, each at most once:
///
///     annotation = { word }
///     word       = "in" | "out" | "inout"                     the direction of a pointer's target
///                | "string" [ room ]                          text that ends with a NUL, or of this many bytes
///                | "bytes" room                               this many bytes
///                | "items" room                               an array of this many values of the target type
///                | "items" "[" "null" "]"                     an array of pointers that ends with a null pointer
///                | "value"                                    one value of the target type
///                | "union" "by" name "{" case { "," case } "}"  a union, with the member for each value of a field
///                | "handle" [ "(" name ")" ]                  a pointer that is only passed around, and its kind
///                | "object"                                   any value, which comes back from C as itself
///                | "function"                                 the name of a function of the library
///                | "new"                                      a newly allocated struct, freed with its handle
///                | "null" | "context" | "ignored"             a null pointer; any pointer; a result that is dropped
///                | "=" formula                                a fixed value that callers do not pass
///                | "printf" "(" name ")" | "(" C types ")"    the arguments for "..."; "(" C types ")" "items" "[" "null"
///                                                             "]" for any number of them with a null pointer behind
///                | "nullable"                                 null is allowed
///                | "free" [ "(" function ")" ]                the function that frees a result
///                | "released"                                 a handle that the function releases or takes over
///                | "ends" "parts"                             a handle whose parts the function may free
///                | "keeps" name | "of" name                   a handle that keeps another, or is a part of it
///                | "kept" [ "by" name ]                       a callback, data or a handle that C uses after the call
///                | "copied"                                   a callback or data that C does not use after the call
///                | "error" ( "if" | "unless" ) test { "|" test }
///                | "number" formula | "message" formula       the number and the text of an error
///                | "else" formula                             the result of a callback that fails
///                | "quick" | "errno"                          for the whole function, under the key "()"
///     case       = ( name | [ "-" ] number ) ":" name     a value of the field; the member of the union
///     room       = "[" formula [ ";" formula ] "]"            the capacity; the part that is used after the call
///     test       = [ "<" | "<=" | ">" | ">=" ] formula | "null"
///     formula    = product { ("+" | "-") product }
///     product    = factor { "*" factor }
///     factor     = number | "'text'" | name | "-" factor | "sizeof" "(" C type ")" | "(" formula ")"
///                | name "->" name                             the field of a struct that a parameter points to
///                | function "(" [ formula { "," formula } ] ")"
///
/// A name refers to a parameter, a field of a struct behind a handle ("strm.avail_in"), `return`, or a constant. After
/// the ";" of a room, `room` is the capacity. If the length of an input is just the name of a parameter, that parameter
/// is set to the length of the data.
///
/// The key of an annotation is the name of a parameter, or a path: "callback.text" for a parameter of a callback,
/// "callback.return" for its result, "functions.read" for a function in a struct, "strm.next_in" for a field of a
/// struct behind a handle, which callers then pass and receive under this name, "input.src" for a field of another
/// struct. In the room of such a field, names are fields of the same struct.
struct Annotation: Sendable {
    /// The words that an annotation can have.
    static let keywords = [
        "in", "out", "inout", "string", "bytes", "items", "value", "union", "handle", "new", "null", "context",
        "ignored", "object", "function", "printf", "nullable", "free", "released", "ends", "keeps", "of", "kept",
        "copied", "error", "number", "message", "else", "quick", "errno",
    ]

    enum Direction: String, Sendable {
        case `in`, out, `inout`
    }

    /// The capacity of a buffer, and the part of it that is used after the call.
    struct Room: Sendable {
        let size: Formula
        let used: Formula?

        /// Whether a null pointer ends the array, as in "items[null]".
        var endsWithNull: Bool { size == .name("null") && used == nil }
    }

    /// The kind of value.
    enum Shape: Sendable {
        case string(Room?)
        case bytes(Room)
        case items(Room)
        case value
        /// A union whose member another field of the struct tells.
        case union(by: String, [UnionCase])
        /// A handle, with the name of its kind if it differs from the name of the type.
        case handle(String?)
        case new
        case null
        case context
        case ignored
        case constant(Formula)
        /// Arguments for the format in this parameter.
        case printf(String)
        /// C types, separated by commas; if they are repeated, a null pointer ends the arguments.
        case types(String, isRepeated: Bool)
        /// Any value of a payload, which C knows as a pointer.
        case object
        /// The name of a function of the library.
        case function
    }

    /// The member of a union for a value of the field that tells it.
    struct UnionCase: Sendable {
        let value: Formula
        let member: String
    }

    /// What a handle, a callback or data depends on after the call.
    enum Bond: Sendable {
        /// The new handle keeps this one.
        case keeps(String)
        /// The handle is a part of this one and is not released separately.
        case partOf(String)
        /// The callback, the data or the handle lives as long as this handle, or, if nil, as long as the process.
        case keptBy(String?)
        /// C does not use the data after the call.
        case copied
    }

    /// The C types of the arguments for "...".
    var variadicTypes: String? { if case .types(let list, _)? = shape { list } else { nil } }

    /// The annotation as it is written.
    var text = ""
    var direction: Direction?
    var shape: Shape?
    var isNullable = false
    var bond: Bond?
    /// The function that frees a result or output.
    var release: String?
    /// Whether the function releases the handle, or takes it over.
    var isReleased = false
    /// Whether the function may free parts of what the handle is or is a part of.
    var endsParts = false
    var errorRule: ErrorRule?
    var fallback: Formula?
    var isQuick = false
    var wantsErrno = false

    /// Whether only words for a whole function are there.
    var isForWholeFunction: Bool {
        direction == nil && shape == nil && !isNullable && bond == nil && release == nil && !isReleased
            && !endsParts && errorRule == nil && fallback == nil
    }

    /// The formulas in it.
    var formulas: [Formula] {
        [fallback, errorRule?.number, errorRule?.message].compactMap(\.self) + (errorRule?.tests.map(\.value) ?? [])
            + shapeFormulas
    }

    /// The formulas of rooms and constants, which connect a number with what it measures.
    var shapeFormulas: [Formula] {
        switch shape {
        case .string(let room?), .bytes(let room), .items(let room): [room.size] + (room.used.map { [$0] } ?? [])
        case .constant(let formula): [formula]
        default: []
        }
    }

    /// The types that the formulas measure with `sizeof`.
    var sizedTypes: [String] { formulas.flatMap(\.sizedTypes) }

    /// The kind of handle that the annotation names.
    var handleName: String? {
        if case .handle(let name)? = shape { name } else { nil }
    }
}

/// The condition under which a result means that the call failed.
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

    /// Whether the tests describe success instead of failure.
    let isUnless: Bool
    let tests: [Test]
    /// The number of the error; nil for what is tested.
    var number: Formula?
    var message: Formula?
}

/// A number that is computed for each call from parameters and results, or a text.
indirect enum Formula: Sendable, Hashable {
    /// A literal, from -2⁶³ to 2⁶⁴-1.
    case number(Int128)
    case text(String)
    /// A parameter, `return`, or a constant.
    case name(String)
    /// A field of the struct that a parameter points to.
    case member(of: String, String)
    /// The size of a C type.
    case sizeOf(String)
    case operation(FormulaOperator, Formula, Formula)
    /// Another function of the library.
    case call(String, [Formula])

    /// The formula and all those inside it.
    var parts: [Formula] {
        switch self {
        case .number, .text, .name, .member, .sizeOf: [self]
        case .operation(_, let left, let right): [self] + left.parts + right.parts
        case .call(_, let arguments): [self] + arguments.flatMap(\.parts)
        }
    }

    /// The functions that the formula calls.
    var functions: [String] { parts.compactMap { if case .call(let name, _) = $0 { name } else { nil } } }

    /// The types that the formula measures with `sizeof`.
    var sizedTypes: [String] { parts.compactMap { if case .sizeOf(let type) = $0 { type } else { nil } } }
}

/// What a formula does with two numbers.
enum FormulaOperator: Sendable {
    case plus, minus, times

    /// Returns the result; nil if it needs more bits than formulas compute with.
    func result(_ left: Int128, _ right: Int128) -> Int128? {
        let (result, overflow) =
            switch self {
            case .plus: left.addingReportingOverflow(right)
            case .minus: left.subtractingReportingOverflow(right)
            case .times: left.multipliedReportingOverflow(by: right)
            }
        return overflow ? nil : result
    }
}
