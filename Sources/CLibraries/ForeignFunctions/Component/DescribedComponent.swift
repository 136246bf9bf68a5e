package import CHSLink
package import ComponentKit
import SystemSupport

/// The instance behind the class of a description.
private final class ForeignInstance: LinkClass {
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<ForeignInstance>] = []
}

extension LibraryDescription {
    /// Opens the library and makes a component from the description.
    ///
    /// - Parameters:
    ///   - folder: The absolute path of the directory that contains the description.
    ///   - check: Returns the path without links of a file that the description names by path, which the loader is
    ///     given; throws the reason if the file is not trusted.
    /// - Returns: The component's descriptor, which is valid for the life of the process.
    /// - Throws: `LinkError` with the code ``ComponentKit/LinkError/Code/cannotLink`` and the loader's message if no
    ///   library can be opened.
    package func open(
        folder: String, check: (String) throws(LinkError) -> String
    ) throws(LinkError) -> UnsafePointer<hslink_descriptor> {
        let library = try ForeignLibrary(self, folder: folder, check: check)
        var methods: [LinkMethod<ForeignInstance>] = functions.map { plan in
            let function = ForeignFunction(plan, library)
            return unsafe .boundaryMethod(plan.selector, quick: plan.isQuick) { payload throws(LinkError) in
                try unsafe function.call(payload)
            }
        }
        for variable in variables {
            unsafe methods.append(
                .boundaryMethod(variable.selector, quick: true) { payload throws(LinkError) in
                    guard unsafe payload.pointee.length == 0 || Int(payload.pointee.tag) == HSLINK_NULL else {
                        throw LinkError(.payloadMismatch, message: "a variable has no parameters")
                    }
                    return unsafe variable.value(at: try library.address(of: variable.symbol))
                })
        }
        var taken = Set((functions.map(\.selector) + variables.map(\.selector)).map { ExactText($0) })
        for refusal in refusals {
            let selector = refusal.selector ?? refusal.name
            guard taken.insert(ExactText(selector)).inserted else { continue }
            unsafe methods.append(
                .boundaryMethod(selector, quick: true) { _ throws(LinkError) in
                    throw LinkError(.selectorNotFound, message: "the function cannot be called: \(refusal.reason)")
                })
        }
        let provided = ProvidedClass(name: className, methods: methods) { context in
            library.start(context.link)
            return ForeignInstance(context)
        }
        return unsafe LinkedComponent.make(name: name, version: version, [provided]).descriptor
    }
}
