import CFFI
import CHSLink
import ComponentKit

extension CallFrame {
    /// Makes what stands for "...".
    ///
    /// - Returns: the signature of this very call.
    mutating func fillVariadic(_ variadic: VariadicPlan) throws(PayloadError) -> CallInterface? {
        let items = try unsafe variadicItems()
        let forms: [ValueForm]
        let types: [InterfaceType]
        switch variadic {
        case .fixed(let fixedForms, let fixedTypes): (forms, types) = (fixedForms, fixedTypes)
        case .printf(let index):
            forms = try formatForms(index)
            types = forms.map(\.variadicType)
        }
        guard items.count == forms.count, forms.count <= ForeignFunction.maximumVariadicCount else {
            throw PayloadError(
                path: ["..."], expected: "an array of \(forms.count)", found: "\(items.count) items")
        }
        for (index, form) in forms.enumerated() {
            let memory = try unsafe allocate(16)
            do throws(PayloadError) {
                try unsafe writer.write(form, items[index], at: memory)
            } catch {
                throw error.within(.index(index)).within("...")
            }
            unsafe places[plan.signature.arguments.count + index] = unsafe memory
        }
        let signature = plan.signature
        guard
            let interface = function.library.interfaces.interface(
                result: signature.result, arguments: signature.arguments + types,
                fixedCount: signature.arguments.count)
        else {
            throw PayloadError(path: ["..."], expected: "types that can be passed", found: "others, or too many lists")
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

    /// What the format asks for.
    private func formatForms(_ index: Int) throws(PayloadError) -> [ValueForm] {
        let argument = plan.arguments[index]
        let place = unsafe base + argument.offset
        guard let text = unsafe place.load(as: UnsafePointer<CChar>?.self) else {
            throw PayloadError(path: [.key(argument.name)], expected: "a format", found: "null")
        }
        do throws(PayloadError) {
            return try unsafe PrintfFormat(String(cString: text)).forms
        } catch {
            throw error.within(.key(argument.name))
        }
    }
}

extension ValueForm {
    /// As libffi is told.
    fileprivate var variadicType: InterfaceType {
        switch self {
        case .integer(let form): .integer(size: form.size, isSigned: form.isSigned)
        case .double: .double
        case .longDouble: .longDouble
        default: .pointer
        }
    }
}
