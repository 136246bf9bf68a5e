import TestSupport

/// Writes a C library whose functions copy what they get to their outputs, and its description.
struct EchoLibrary {
    private var random: SplitMix64
    private(set) var source = "#include <stdint.h>\n#include <stddef.h>\n#include <string.h>\n#include <stdbool.h>\n"
    private(set) var declarations: [String] = []
    private(set) var annotations: [String] = []
    private var structs: [String] = []

    private static let scalars = [
        "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "bool", "float",
        "double", "char", "long double",
    ]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        for index in 0..<8 { addStruct(index) }
        for index in 0..<30 { addFunction(index) }
    }

    /// The description of the library in `file`.
    func description(_ file: String) -> String {
        """
        {"name": "echo", "version": "1.0.0", "library": "\(file)", "class": "Echo",
         "declarations": [\(declarations.map { "\"\($0)\"" }.joined(separator: ",\n"))],
         "annotations": {\(annotations.joined(separator: ",\n"))}}
        """
    }

    private mutating func pick<Value>(_ all: [Value]) -> Value { all[Int.random(in: 0..<all.count, using: &random)] }

    private mutating func add(_ declaration: String) {
        source += declaration + "\n"
        declarations.append(declaration)
    }

    private mutating func addStruct(_ index: Int) {
        var fields = ""
        for field in 0..<Int.random(in: 1...7, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: fields += "char f\(field)[\(Int.random(in: 1...9, using: &random))]; "
            case 1: fields += "uint8_t f\(field)[\(Int.random(in: 1...5, using: &random))]; "
            case 2:
                let type = pick(["int16_t", "float", "double"])
                fields += "\(type) f\(field)[\(Int.random(in: 1...3, using: &random))]; "
            case 3 where !structs.isEmpty: fields += "\(pick(structs)) f\(field); "
            case 4, 5:
                let (type, limit) = pick([("unsigned", 32), ("int", 32), ("int64_t", 64), ("uint8_t", 8), ("bool", 1)])
                fields += "\(type) f\(field) : \(Int.random(in: 1...limit, using: &random)); "
            default: fields += "\(pick(EchoLibrary.scalars)) f\(field); "
            }
        }
        let packed = Int.random(in: 0..<6, using: &random) == 0 ? " __attribute__((packed))" : ""
        add("typedef struct { \(fields)}\(packed) S\(index);")
        structs.append("S\(index)")
    }

    /// Adds a function with an output for each input, which is named like it with an "o" before.
    private mutating func addFunction(_ index: Int) {
        var (inputs, outputs, body): ([String], [String], String) = ([], [], "")
        var notes: [String] = []
        for place in 0..<Int.random(in: 1...6, using: &random) {
            let name = "i\(place)"
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                inputs.append("const uint8_t *\(name), size_t n\(place)")
                outputs.append("uint8_t *o\(name)")
                body += "memcpy(o\(name), \(name), n\(place)); "
                notes += ["\"\(name)\": \"bytes[n\(place)]\"", "\"o\(name)\": \"out bytes[n\(place)]\""]
            case 1, 2:
                let type = pick(structs)
                inputs.append("const \(type) *\(name)")
                outputs.append("\(type) *o\(name)")
                body += "*o\(name) = *\(name); "
                notes.append("\"o\(name)\": \"out\"")
            case 3:
                inputs.append("const char *\(name)")
                outputs.append("const char **o\(name)")
                // The text lives as long as the call; the output is read before that ends.
                body += "*o\(name) = \(name); "
                notes.append("\"o\(name)\": \"out string\"")
            default:
                let type = pick(EchoLibrary.scalars + structs)
                inputs.append("\(type) \(name)")
                outputs.append("\(type) *o\(name)")
                body += "*o\(name) = \(name); "
                notes.append("\"o\(name)\": \"out\"")
            }
        }
        let head = "void echo\(index)(\((inputs + outputs).joined(separator: ", ")))"
        source += "\(head) { \(body)}\n"
        declarations.append(head + ";")
        annotations.append("\"echo\(index)\": {\(notes.joined(separator: ", "))}")
    }
}
