import CDeclarations
import ComponentHost
import ComponentKit
import TestSupport

@testable import ForeignFunctions

/// Makes values of the right types for functions: empty, extreme and random ones.
struct RandomValues {
    private var random: SplitMix64
    private let link: Link
    /// The handles that functions have returned, by their kinds.
    private var handles: [String: [Payload]] = [:]

    /// Whether structs have all fields, arrays of bytes all bytes, and numbers are equal to themselves.
    var isWhole = false

    private static let maximumHandles = 8
    /// A picture of one pixel: most bytes that are no picture are refused at once.
    private static let picture: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1,
        8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0x64,
        0x62, 0x66, 1, 0, 0, 0x19, 0, 0x0B, 0xE7, 0x5A, 0x46, 0xA4, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42,
        0x60, 0x82,
    ]

    init(seed: UInt64, link: Link) {
        random = SplitMix64(seed: seed)
        self.link = link
    }

    mutating func pick<Value>(_ all: [Value]) -> Value { all[Int.random(in: 0..<all.count, using: &random)] }

    private mutating func chance(_ inverse: Int) -> Bool { Int.random(in: 0..<inverse, using: &random) == 0 }

    // MARK: - Arguments

    /// Returns arguments for a function; nil if it needs a handle that there is none of.
    mutating func arguments(_ plan: FunctionPlan) -> Payload? {
        var entries: [(String, Payload)] = []
        for argument in plan.arguments where argument.isInput {
            if argument.isNullable, chance(4) { continue }
            guard let value = value(of: argument) else { return nil }
            entries.append((argument.name, value))
        }
        switch plan.variadic {
        case nil: break
        case .fixed(let forms, _): entries.append(("...", .array(forms.map { value($0) })))
        case .ended(let forms, _):
            let rounds = Int.random(in: 0...3, using: &random)
            entries.append(("...", .array((0..<rounds).flatMap { _ in forms }.map { value($0) })))
        // The format decides, so that most calls are refused.
        case .printf: if chance(2) { entries.append(("...", .array([value(.text)]))) }
        }
        return .map(entries)
    }

    private mutating func value(of argument: ArgumentPlan) -> Payload? {
        switch argument.mode {
        case .plain(.integer) where argument.enumeration != nil && !chance(20):
            return .string(pick(argument.enumeration?.names ?? []))
        case .plain(let form), .value(let form, _), .field(let form): return value(form)
        case .text: return value(.text)
        case .buffer(let buffer): return value(buffer)
        case .handle(let kind):
            guard let all = handles[kind.name], !all.isEmpty else { return nil }
            return pick(all)
        case .consumed(let kind, _):
            guard var all = handles[kind.name], all.count > 1 else { return nil }
            let taken = all.remove(at: Int.random(in: 0..<all.count, using: &random))
            handles[kind.name] = all
            return taken
        case .callback(let plan, _): return closure(plan)
        case .function(let symbols): return .string(pick(symbols.keys.sorted()))
        case .object: return pick([.null, 5, "text", ["list": [1, 2]]])
        case .length, .constant, .constantDouble, .new, .left, .context, .failure: return .null
        }
    }

    private mutating func value(_ buffer: BufferPlan) -> Payload {
        switch buffer.content {
        case .bytes: return .bytes(bytes())
        case .text, .measuredText: return value(.text)
        case .items(let form), .endedItems(let form):
            let count = Int.random(in: 0...20, using: &random)
            return .array((0..<count).map { _ in value(form) })
        }
    }

    private mutating func bytes() -> [UInt8] {
        if chance(4) { return RandomValues.picture }
        let count = pick([0, 1, 7, 64, 1000, 20_000])
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    // MARK: - Values

    mutating func value(_ form: ValueForm) -> Payload {
        switch form {
        case .integer(let form): return number(in: form.range)
        case .bits(let form):
            let bits = Int128(form.place.width)
            guard !form.isBool else { return .bool(chance(2)) }
            return number(
                in: form.declared.isSigned ? -(1 << (bits - 1))...(1 << (bits - 1)) - 1 : 0...(1 << bits) - 1)
        case .bool: return .bool(chance(2))
        case .float:
            return .double(pick([0, -0.0, 1.5, isWhole ? 2 : .nan, .infinity, Double(Float.greatestFiniteMagnitude)]))
        case .double, .longDouble:
            return .double(pick([0, -0.0, 1.5, -1e300, isWhole ? 3 : .nan, -.infinity, .leastNonzeroMagnitude]))
        case .text: return .string(text())
        case .measured(let form): return form.isText ? .string(text()) : .bytes(bytes())
        case .pointed(let form):
            guard !form.count.isOne else { return value(form.element) }
            return .array((0..<Int.random(in: 0...5, using: &random)).map { _ in value(form.element) })
        case .textInPlace(let size):
            return .string(String(repeating: "a", count: Int.random(in: 0..<max(size, 1), using: &random)))
        case .bytesInPlace(let size):
            return .bytes(
                Array(repeating: 0xFF, count: isWhole ? size : Int.random(in: 0...size, using: &random)))
        case .array(let element, let count, _): return .array((0..<count).map { _ in value(element) })
        case .record(let form): return record(form)
        case .handle(let kind): return handles[kind.name].flatMap { $0.isEmpty ? nil : pick($0) } ?? .null
        case .callback(let plan, _): return closure(plan)
        case .tagged, .opaque: return .null
        }
    }

    private mutating func number(in range: ClosedRange<Int128>) -> Payload {
        let number =
            switch Int.random(in: 0..<8, using: &random) {
            case 0: range.lowerBound
            case 1: range.upperBound
            case 2: Int128(0)
            case 3: Int128.random(in: range, using: &random)
            default: Int128.random(in: 0...min(1000, range.upperBound), using: &random)
            }
        return Int64(exactly: number).map { .int($0) } ?? .uint(UInt64(number))
    }

    private mutating func text() -> String {
        pick([
            "", "a", "%s%n%d", "Grüße 😀", String(repeating: "x", count: 5000), "<a b='c'>&amp;</a>", "{\"a\": [1, 2]}",
            "https://u:p@example.org:80/x?y=z#f", "(a|b)*c[", "select 1, 'x'", "-", "\n\t\u{1}",
            String((0..<12).map { _ in pick(Array("abc01.,;:/<>&%{}[]")) }),
        ])
    }

    private mutating func record(_ form: RecordForm) -> Payload {
        var entries: [(String, Payload)] = []
        for field in form.fields where field.measures == nil {
            switch field.form {
            case .opaque, .tagged: continue
            case .measured(let measured) where measured.direction == .out: continue
            default: break
            }
            guard isWhole || field.form.refusesZeros && !field.isNullable || chance(2) else { continue }
            entries.append((field.name, value(field.form)))
            if form.isUnion { break }
        }
        return .map(entries)
    }

    /// Returns a closure that answers what the plan expects, or rarely something else, or an error.
    private mutating func closure(_ plan: CallbackPlan) -> Payload {
        var outputs: [(String, Payload)] = []
        for parameter in plan.parameters {
            switch parameter.mode {
            case .value(let form, let direction) where direction != .in: outputs.append((parameter.name, value(form)))
            case .buffer(let buffer) where buffer.direction != .in: outputs.append((parameter.name, value(buffer)))
            default: break
            }
        }
        var result = plan.result.map { value($0) } ?? .null
        if let data = plan.data { result = data.isText ? value(.text) : .bytes(bytes()) }
        if plan.hasOutputs { result = .map(outputs + [("return", result)]) }
        let (answer, fails) = (chance(10) ? Payload("something else") : result, chance(12))
        return link.closure { _ throws(LinkError) in
            if fails { throw LinkError(domain: "test", number: 1, message: "the closure fails") }
            return answer
        }
    }

    // MARK: - Handles

    /// Keeps the handles in a result for later calls. Old ones are dropped, which releases them.
    mutating func keepHandles(in result: Payload) {
        switch result.kind {
        case .object:
            guard let name = try? result.object().className else { return }
            handles[name, default: []].append(result)
            if handles[name, default: []].count > RandomValues.maximumHandles {
                handles[name]?.remove(at: Int.random(in: 0..<RandomValues.maximumHandles, using: &random))
            }
        case .array: for item in (try? result.items()) ?? [] { keepHandles(in: item) }
        case .map: for (_, value) in (try? result.entries()) ?? [] { keepHandles(in: value) }
        default: break
        }
    }
}
