import CFFI
import CHSLink
import ComponentKit
import SystemSupport

extension CallFrame {
    /// Builds the arguments for "...".
    ///
    /// - Returns: The signature of this call.
    mutating func fillVariadic(_ variadic: VariadicPlan) throws(PayloadError) -> CallInterface? {
        let items = try unsafe variadicItems()
        let forms: [ValueForm]
        var types: [InterfaceType]
        var isEnded = false
        switch variadic {
        case .fixed(let fixedForms, let fixedTypes): (forms, types) = (fixedForms, fixedTypes)
        case .ended(let group, let groupTypes):
            guard items.count % group.count == 0 else {
                throw PayloadError(
                    path: ["..."], expected: "a multiple of \(group.count)", found: "\(items.count) items")
            }
            let rounds = items.count / group.count
            forms = (0..<rounds).flatMap { _ in group }
            types = (0..<rounds).flatMap { _ in groupTypes } + [.pointer]
            isEnded = true
        case .printf(let index):
            forms = try formatForms(index)
            types = forms.map(\.variadicType)
        }
        guard items.count == forms.count else {
            throw PayloadError(
                path: ["..."], expected: "an array of \(forms.count)", found: "\(items.count) items")
        }
        guard types.count <= ForeignFunction.maximumVariadicCount else {
            throw PayloadError(
                path: ["..."], expected: "at most \(ForeignFunction.maximumVariadicCount - (isEnded ? 1 : 0)) items",
                found: "\(items.count)")
        }
        for (index, form) in forms.enumerated() {
            let memory = try unsafe allocate(16)
            do throws(PayloadError) {
                try unsafe writer.write(form, items[index], at: memory)
                unsafe form.promote(memory)
            } catch {
                throw error.within(.index(index)).within("...")
            }
            unsafe places[plan.signature.arguments.count + index] = unsafe memory
        }
        // The memory is zero.
        if isEnded { unsafe places[plan.signature.arguments.count + forms.count] = try unsafe allocate(16) }
        let signature = plan.signature
        guard
            let interface = function.library.interfaces.interface(
                result: signature.result, arguments: signature.arguments + types,
                fixedCount: signature.arguments.count)
        else {
            throw PayloadError(path: ["..."], expected: "types that libffi supports", found: "types that it rejects")
        }
        return interface
    }

    private mutating func variadicItems() throws(PayloadError) -> UnsafeBufferPointer<hslink_value> {
        guard let node = unsafe hslink_map_find(payload, "...", 3) else {
            return unsafe UnsafeBufferPointer(start: nil, count: 0)
        }
        keyCount += 1
        guard unsafe Int(node.pointee.tag) == HSLINK_ARRAY else {
            throw unsafe mismatch("array", node.pointee).within("...")
        }
        return unsafe node.pointee.itemNodes
    }

    /// Returns the forms of the arguments for the format.
    private func formatForms(_ index: Int) throws(PayloadError) -> [ValueForm] {
        let argument = plan.arguments[index]
        let place = unsafe base + argument.offset
        guard let text = unsafe place.load(as: UnsafePointer<CChar>?.self) else {
            throw PayloadError(path: [.key(argument.name)], expected: "a format", found: "null")
        }
        return try PayloadError.within(.key(argument.name)) { () throws(PayloadError) in
            try unsafe PrintfFormat(String(cString: text)).forms
        }
    }
}

extension ValueForm {
    /// Widens a number as C does for "...". The memory was zero before the number was written.
    fileprivate func promote(_ memory: UnsafeMutableRawPointer) {
        switch self {
        case .integer(let form) where form.size < 4:
            unsafe memory.storeBytes(of: Int32(truncatingIfNeeded: form.load(memory)), as: Int32.self)
        case .float: unsafe memory.storeBytes(of: Double(memory.load(as: Float.self)), as: Double.self)
        default: break
        }
    }

    /// The type for libffi.
    fileprivate var variadicType: InterfaceType {
        switch self {
        case .integer(let form): .integer(size: form.size, isSigned: form.isSigned)
        case .double: .double
        case .longDouble: .longDouble
        default: .pointer
        }
    }
}

/// The arguments for a `printf` format. If they did not match, C would read arguments that were not passed.
private struct PrintfFormat {
    /// The forms of the arguments in order, after the default argument promotions.
    let forms: [ValueForm]

    /// - Throws: `PayloadError` if a conversion is unknown, writes (`%n`), or selects its argument (`%1$d`).
    init(_ format: String) throws(PayloadError) {
        var forms: [ValueForm] = []
        var rest = Substring(format).utf8
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[rest.index(after: percent)...]
            rest = rest.drop { "-+ #0'".utf8.contains($0) }
            PrintfFormat.takeNumber(&rest, &forms)
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
                PrintfFormat.takeNumber(&rest, &forms)
            }
            let lengthStart = rest
            rest = rest.drop { "hljztL".utf8.contains($0) }
            let length = String(lengthStart.prefix(lengthStart.count - rest.count)) ?? ""
            guard let conversion = rest.first else {
                throw PayloadError(expected: "a conversion after \"%\"", found: "the end")
            }
            rest = rest.dropFirst()
            if conversion == UInt8(ascii: "%") { continue }
            forms.append(try PrintfFormat.form(conversion, length))
        }
        self.forms = forms
    }

    private static func takeNumber(_ rest: inout Substring.UTF8View, _ forms: inout [ValueForm]) {
        if rest.first == UInt8(ascii: "*") {
            rest = rest.dropFirst()
            forms.append(.integer(IntegerForm(size: 4, isSigned: true)))
        } else {
            rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }

    private static func form(_ conversion: UInt8, _ length: String) throws(PayloadError) -> ValueForm {
        let character = Character(UnicodeScalar(conversion))
        switch (character, length) {
        case ("d", ""), ("i", ""), ("d", "h"), ("i", "h"), ("d", "hh"), ("i", "hh"), ("c", ""):
            return .integer(IntegerForm(size: 4, isSigned: true))
        case ("d", "l"), ("i", "l"), ("d", "ll"), ("i", "ll"), ("d", "j"), ("i", "j"), ("d", "z"), ("i", "z"),
            ("d", "t"), ("i", "t"):
            return .integer(IntegerForm(size: 8, isSigned: true))
        case ("u", ""), ("o", ""), ("x", ""), ("X", ""), ("u", "h"), ("o", "h"), ("x", "h"), ("X", "h"), ("u", "hh"),
            ("o", "hh"), ("x", "hh"), ("X", "hh"):
            return .integer(IntegerForm(size: 4, isSigned: false))
        case ("u", "l"), ("o", "l"), ("x", "l"), ("X", "l"), ("u", "ll"), ("o", "ll"), ("x", "ll"), ("X", "ll"),
            ("u", "j"), ("o", "j"), ("x", "j"), ("X", "j"), ("u", "z"), ("o", "z"), ("x", "z"), ("X", "z"),
            ("u", "t"), ("o", "t"), ("x", "t"), ("X", "t"):
            return .integer(IntegerForm(size: 8, isSigned: false))
        case ("e", ""), ("E", ""), ("f", ""), ("F", ""), ("g", ""), ("G", ""), ("a", ""), ("A", ""), ("e", "l"),
            ("f", "l"), ("g", "l"), ("a", "l"):
            return .double
        case ("e", "L"), ("E", "L"), ("f", "L"), ("F", "L"), ("g", "L"), ("G", "L"), ("a", "L"), ("A", "L"):
            return .longDouble
        case ("s", ""): return .text
        default:
            throw PayloadError(
                expected: "a conversion such as %d, %lu, %g or %s", found: "%\(length)\(character)".quoted())
        }
    }
}
