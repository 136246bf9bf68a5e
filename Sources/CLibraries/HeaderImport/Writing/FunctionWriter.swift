import CDeclarations

/// Writes the declarations of functions with their parameter names, and reports functions that can't be called.
struct FunctionWriter {
    /// The declarations of the types that the functions need.
    let types: [CSource]
    let writer: TypeWriter

    /// Writes functions.
    ///
    /// - Returns: The declaration of each function by its name, and the omitted functions.
    func write(_ functions: [SyntaxNode]) -> (texts: [String: String], omissions: [ImportedHeader.Omission]) {
        var sources = types
        for function in functions {
            var text = TypeText.declaration(of: function.name, writer.cleaned(function.type))
            if function.mangledName != function.name, !function.mangledName.isEmpty {
                text += " __asm__(\"\(function.mangledName)\")"
            }
            sources.append(CSource(name: function.name, text: text + ";"))
        }
        let declarations = CDeclarations(parsing: sources, undefined: undefined)
        let errors = Dictionary(
            declarations.diagnostics.map { ($0.place.source, $0.message) }, uniquingKeysWith: { first, _ in first })
        var texts: [String: String] = [:]
        var omissions: [ImportedHeader.Omission] = []
        for function in functions {
            guard let found = declarations.function(named: function.name), errors[function.name] == nil else {
                let reason = errors[function.name] ?? "its declaration can't be parsed: \(function.type)"
                omissions.append(ImportedHeader.Omission(kind: .function, name: function.name, reason: reason))
                continue
            }
            if let obstacle = found.obstacle {
                omissions.append(
                    ImportedHeader.Omission(kind: .function, name: function.name, reason: obstacle.reason))
                continue
            }
            texts[function.name] = text(of: found, names: function.parameterNames)
        }
        return (texts, omissions)
    }

    private func text(of function: CFunction, names: [String]) -> String {
        var type = function.type
        type.parameters = zip(type.parameters.indices, type.parameters).map { index, parameter in
            let name = index < names.count ? plain(names[index], among: names) : ""
            return CParameter(
                name: name.isEmpty ? nil : name, type: parameter.type, arrayLength: parameter.arrayLength,
                isNonnull: parameter.isNonnull)
        }
        let symbol = function.symbol == function.name ? "" : " __asm__(\"\(function.symbol)\")"
        return CType(.function(type)).declaration(of: function.name) + symbol + ";"
    }

    /// Returns a parameter's name without leading underscores if it begins with two, as glibc's names do to avoid
    /// conflicts with macros. Names that would then be ambiguous or keywords stay unchanged.
    private func plain(_ name: String, among names: [String]) -> String {
        let rest = String(name.drop { $0 == "_" })
        guard name.hasPrefix("__"), rest.first?.isLetter == true, !names.contains(rest) else { return name }
        return CDeclarations.isKeyword(rest) ? name : rest
    }

    /// Returns why a type is not defined, which is the importer's own doing if it made the type opaque.
    private func undefined(_ name: String) -> String {
        // A struct without a tag has the key of its typedef, whose name is the tag of the opaque struct.
        let why = writer.opaque[name] ?? writer.opaque.first { "struct \($0.key)" == name }?.value
        return why.map { "\(name) is opaque: \($0)" } ?? "\(name) is not defined"
    }
}
