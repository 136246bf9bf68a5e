import CDeclarations
import ComponentKit
import Glibc

/// An exported variable of a library, which is read by a selector without parameters.
struct VariablePlan: Sendable {
    /// What is at the address of the variable.
    private enum Content: Sendable {
        case value(ValueForm)
        /// Text up to a NUL, in an array whose length is not declared.
        case text
    }

    let selector: String
    let symbol: String
    private let content: Content

    /// - Throws: `CObstacle` with the reason if no value can be made of the variable.
    init(selector: String, _ variable: CVariable, tree: AnnotationTree, scope: PlanningScope) throws(CObstacle) {
        self.selector = selector
        symbol = variable.symbol
        if case .array(let element, nil) = variable.type.kind, case .scalar(.char) = element.kind {
            guard tree["return"].own != nil else {
                throw CObstacle(
                    "an array without a length needs the annotation \"return\": \"string\", if a NUL ends it")
            }
            content = .text
        } else {
            content = .value(try scope.form(of: variable.type, tree["return"]))
        }
        if let annotation = tree["return"].own {
            guard case .string(nil)? = annotation.shape, annotation.text == "string" else {
                throw CObstacle("a variable can only be \"string\", not \"\(annotation.text)\"")
            }
        }
        for name in tree.names where name != "return" {
            throw CObstacle(
                "a variable has annotations for \"return\" only, not for \"\(name)\"", missing: name)
        }
        if case .value(let form) = content {
            switch form {
            case _ where form.size > CallArena.maximumSize:
                throw CObstacle("a variable of the type \(variable.type) is too large")
            case .opaque, .callback, .handle: throw CObstacle("a variable of the type \(variable.type) cannot be read")
            default: break
            }
        }
    }

    /// Reads the variable, as it is now.
    ///
    /// - Parameter address: The address of the variable.
    func value(at address: UnsafeRawPointer) -> Payload {
        switch content {
        case .text: return unsafe CValueToPayload.text(address.assumingMemoryBound(to: CChar.self))
        case .value(let form):
            var reader = CValueToPayload()
            return unsafe reader.read(form, at: address)
        }
    }

    /// The selector as in a manifest.
    var manifest: Payload {
        let words = if case .value(let form) = content { form.words } else { "String" }
        return ["name": .string(selector), "parameters": [:], "result": .string(words), "quick": true]
    }
}
