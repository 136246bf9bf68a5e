/// A block of LLVM's bitstream format (llvm.org/docs/BitCodeFormat.html): records, and blocks inside it.
struct BitstreamBlock {
    /// A record: its meaning is that of its block.
    struct Record {
        var code = 0
        var fields: [Int] = []
        var blob: [UInt8] = []
    }

    var identifier = 0
    var records: [Record] = []
    var blocks: [BitstreamBlock] = []
}

/// The reason why bytes are not a bitstream.
struct BitstreamError: Error {
    let message: String
}

/// Reads a whole bitstream.
struct BitstreamReader {
    /// One field of an abbreviated record.
    private enum Operand {
        case literal(Int)
        case fixed(Int)
        case variable(Int)
        case array
        case character
        case blob
    }

    private typealias Abbreviation = [Operand]

    private let bytes: [UInt8]
    /// The size in bits.
    private var position = 0
    /// The abbreviations that BLOCKINFO defines for other blocks.
    private var known: [Int: [Abbreviation]] = [:]

    /// - Parameter magic: The four bytes at the beginning of the file.
    /// - Returns: The outermost blocks.
    /// - Throws: ``BitstreamError``.
    static func blocks(of bytes: [UInt8], magic: String) throws -> [BitstreamBlock] {
        guard bytes.starts(with: magic.utf8) else { throw BitstreamError(message: "it does not begin with \(magic)") }
        var reader = BitstreamReader(bytes: bytes)
        reader.position = 32
        var blocks: [BitstreamBlock] = []
        while reader.position + 32 <= 8 * bytes.count {
            guard try reader.bits(2) == 1 else { throw BitstreamError(message: "a block was expected") }
            blocks.append(try reader.block())
        }
        return blocks
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func block() throws -> BitstreamBlock {
        var block = BitstreamBlock(identifier: try variable(8))
        let width = try variable(4)
        align()
        _ = try bits(32)
        var abbreviations = known[block.identifier] ?? []
        var described = 0
        while true {
            switch try bits(width) {
            case 0:
                align()
                return block
            case 1: block.blocks.append(try self.block())
            case 2 where block.identifier == 0: known[described, default: []].append(try abbreviation())
            case 2: abbreviations.append(try abbreviation())
            case 3:
                var record = BitstreamBlock.Record(code: try variable(6))
                for _ in 0..<(try variable(6)) { record.fields.append(try variable(6)) }
                // SETBID: the following records apply to another block.
                if block.identifier == 0, record.code == 1 { described = record.fields.first ?? 0 }
                block.records.append(record)
            case let number:
                guard abbreviations.indices.contains(number - 4) else {
                    throw BitstreamError(message: "abbreviation \(number) is not known")
                }
                block.records.append(try record(abbreviations[number - 4]))
            }
        }
    }

    private mutating func abbreviation() throws -> Abbreviation {
        var operands: Abbreviation = []
        for _ in 0..<(try variable(5)) {
            if try bits(1) == 1 {
                operands.append(.literal(try variable(8)))
                continue
            }
            switch try bits(3) {
            case 1: operands.append(.fixed(try variable(5)))
            case 2: operands.append(.variable(try variable(5)))
            case 3: operands.append(.array)
            case 4: operands.append(.character)
            case 5: operands.append(.blob)
            case let encoding: throw BitstreamError(message: "encoding \(encoding) is not known")
            }
        }
        return operands
    }

    private mutating func record(_ abbreviation: Abbreviation) throws -> BitstreamBlock.Record {
        var values: [Int] = []
        var blob: [UInt8] = []
        var index = 0
        while index < abbreviation.count {
            switch abbreviation[index] {
            case .array:
                guard index + 1 < abbreviation.count else { throw BitstreamError(message: "an array of nothing") }
                for _ in 0..<(try variable(6)) { values.append(try scalar(abbreviation[index + 1])) }
                index += 1
            case .blob:
                let count = try variable(6)
                align()
                guard count <= bytes.count - position / 8 else { throw BitstreamError(message: "a blob is cut off") }
                blob = Array(bytes[position / 8..<position / 8 + count])
                position += 8 * count
                align()
            case let operand: values.append(try scalar(operand))
            }
            index += 1
        }
        return BitstreamBlock.Record(code: values.first ?? 0, fields: Array(values.dropFirst()), blob: blob)
    }

    private mutating func scalar(_ operand: Operand) throws -> Int {
        switch operand {
        case .literal(let value): value
        case .fixed(let width): try bits(width)
        case .variable(let width): try variable(width)
        case .character: try bits(6)
        case .array, .blob: throw BitstreamError(message: "a list inside an array")
        }
    }

    /// Reads a number with the given bits, lowest first.
    private mutating func bits(_ width: Int) throws -> Int {
        guard width < 64, position + width <= 8 * bytes.count else { throw BitstreamError(message: "it is cut off") }
        var value = 0
        for offset in 0..<width {
            let bit = bytes[(position + offset) / 8] >> UInt8((position + offset) % 8) & 1
            value |= Int(bit) << offset
        }
        position += width
        return value
    }

    /// Reads a number in chunks of the given bits; the highest bit of a chunk means that another one follows.
    private mutating func variable(_ width: Int) throws -> Int {
        guard width > 1 else { throw BitstreamError(message: "a chunk of \(width) bits") }
        var value = 0
        var shift = 0
        while shift < 63 {
            let chunk = try bits(width)
            value |= (chunk & (1 << (width - 1) - 1)) << shift
            if chunk >> (width - 1) == 0 { return value }
            shift += width - 1
        }
        throw BitstreamError(message: "a number of more than 63 bits")
    }

    private mutating func align() { position = (position + 31) / 32 * 32 }
}
