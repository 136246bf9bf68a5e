import CDeclarations
import SystemSupport

/// Converts headers into declarations that a description can contain.
package struct HeaderImporter {
    /// The maximum number of planning rounds, which exceeds the nesting depth of structs in real headers.
    private static let maximumRounds = 16

    private let request: ImportRequest
    private let clang: Clang
    private let tree: HeaderTree
    private let files: IncludeTree
    /// The macros of the headers, and of those that they include.
    private let macros: [MacroDefinition]
    /// The functions of the headers, in order and without duplicates.
    private let functions: [SyntaxNode]
    /// The macros that are other names of functions.
    private let aliases: Set<String>
    /// The library that has the functions, and the others.
    private let library: ImportRequest.Library
    private let others: [ImportRequest.Library]

    /// Reads headers with clang, which takes as long as compiling them several times.
    ///
    /// - Throws: `ImportError` if clang is not found, a header is not found or has errors, or no header declares a
    ///   function.
    package static func read(_ request: ImportRequest) throws(ImportError) -> ImportedHeader {
        try HeaderImporter(request).written()
    }

    private init(_ request: ImportRequest) throws(ImportError) {
        self.request = request
        clang = try Clang(
            headers: request.headers,
            options: request.directories.map { "-I\($0)" } + request.definitions.map { "-D\($0)" } + request.options)
        let run = try clang.run(["-fsyntax-only", "-Xclang", "-ast-dump=json"])
        guard run.status == 0 else {
            let words = run.standardError.split(separator: "\n").prefix(12).joined(separator: "\n")
            throw ImportError("clang reported errors in \(request.headers.joined(separator: ", ")):\n\(words)")
        }
        var reader = SyntaxReader(run.standardOutput)
        tree = HeaderTree(try reader.read())
        let preprocessed = try clang.run(["-E", "-dD"]).standardOutput
        var files = IncludeTree(preprocessed, headers: request.headers, paths: clang.paths)
        var declared = HeaderImporter.functions(in: tree, files)
        if declared.isEmpty {
            files.includesFolder = true
            declared = HeaderImporter.functions(in: tree, files)
        }
        self.files = files
        macros = MacroDefinition.all(in: preprocessed, isNamed: files.contains)
        let aliases = MacroDefinition.aliases(of: declared, in: macros)
        functions = declared + aliases
        self.aliases = Set(aliases.map(\.name))
        guard !functions.isEmpty else { throw HeaderImporter.nothing(in: tree, request) }
        let symbols = functions.map(\.symbol)
        // Headers may include those of a larger library, so the number of functions says nothing.
        let index =
            request.libraries.firstIndex { library in
                symbols.contains { library.symbols?.contains($0) ?? false }
            } ?? 0
        library = request.libraries[index]
        others = request.libraries.indices.filter { $0 != index }.map { request.libraries[$0] }
    }

    private static func functions(in tree: HeaderTree, _ files: IncludeTree) -> [SyntaxNode] {
        var places: [String: Int] = [:]
        var functions: [SyntaxNode] = []
        for node in tree.nodes where node.kind == "FunctionDecl" && !node.isImplicit && files.contains(node.file) {
            guard let place = places[node.name] else {
                places[node.name] = functions.count
                functions.append(node)
                continue
            }
            // Prefer a declaration with parameter names.
            if functions[place].parameterNames.allSatisfy(\.isEmpty) { functions[place] = node }
        }
        return functions
    }

    /// Returns the error for headers without functions, which lists the included headers that declare functions.
    private static func nothing(in tree: HeaderTree, _ request: ImportRequest) -> ImportError {
        var files: [String: Int] = [:]
        for node in tree.nodes where node.kind == "FunctionDecl" && !node.file.isEmpty {
            files[node.file, default: 0] += 1
        }
        let most = files.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
        let headers = request.headers.joined(separator: ", ")
        guard !most.isEmpty else { return ImportError("\(headers) declares no function") }
        let list = most.map { "  \($0.key) (\($0.value))" }.joined(separator: "\n")
        return ImportError("\(headers) declares no function itself; name the headers that do:\n\(list)")
    }

    // MARK: - Writing

    private func written() throws(ImportError) -> ImportedHeader {
        var omissions: [ImportedHeader.Omission] = []
        var wanted: [SyntaxNode] = []
        for function in functions where isWanted(function.name) {
            if let reason = reasonAgainst(function) {
                omissions.append(ImportedHeader.Omission(kind: .function, name: function.name, reason: reason))
            } else {
                wanted.append(function)
            }
        }
        var writer = TypeWriter(tree: tree)
        var plan = try settledPlan(for: wanted, &writer)
        let functions = FunctionWriter(types: plan.sources, writer: writer).write(wanted)
        omissions += functions.omissions
        // Plan again without omitted functions, to drop types that only they need.
        let kept = wanted.filter { functions.texts[$0.name] != nil }
        plan = DeclarationPlan(tree: tree, functions: kept, writer: &writer, extra: enumerations())
        let order = Dictionary(
            self.functions.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let macros = try MacroConstants(macros, types: plan.sources, clang: clang) {
            isWantedMacro($0) && !aliases.contains($0)
        }
        let constants = macros.constants.filter { isWantedMacro($0.name) }
        let enumConstants = CDeclarations(parsing: plan.sources).constants
        let known = Set(enumConstants.map(\.name))
        let new = constants.filter { !known.contains($0.name) }
        let texts = plan.types + kept.compactMap { functions.texts[$0.name] }
        let words = Set(texts.flatMap(TypeText.words))
        let opaque = writer.opaque.filter { words.contains($0.key.split(separator: " ").last.map(String.init) ?? "") }
        return ImportedHeader(
            declarations: new.map(\.text) + texts,
            functions: kept.map(\.name), library: library.name, constantCount: new.count + enumConstants.count,
            omissions: omissions.sorted { order[$0.name] ?? 0 < order[$1.name] ?? 0 } + variables()
                + macros.omissions.filter { isWantedMacro($0.name) && !aliases.contains($0.name) },
            opaque: opaque.sorted { $0.key < $1.key }.map {
                ImportedHeader.Omission(kind: .type, name: $0.key, reason: $0.value)
            })
    }

    /// Plans the types that functions need. A type that the parser rejects, or whose layout differs from clang's, is
    /// left out or becomes opaque. This may affect the types that contain it, so planning takes several rounds.
    private func settledPlan(
        for functions: [SyntaxNode], _ writer: inout TypeWriter
    ) throws(ImportError) -> DeclarationPlan {
        var plan = DeclarationPlan(tree: tree, functions: functions, writer: &writer, extra: enumerations())
        for _ in 0..<HeaderImporter.maximumRounds {
            let declarations = CDeclarations(parsing: plan.sources)
            var wrong = plan.errors(in: declarations)
            if wrong.isEmpty {
                for name in try LayoutCheck.differences(of: declarations, clang) {
                    wrong[name] = "its computed layout differs from clang's"
                }
            }
            guard !wrong.isEmpty else { break }
            writer.opaque.merge(wrong) { first, _ in first }
            plan = DeclarationPlan(tree: tree, functions: functions, writer: &writer, extra: enumerations())
        }
        return plan
    }

    private func isWanted(_ name: String) -> Bool {
        // Names that begin with two underscores are reserved for the implementation.
        request.patterns.isEmpty ? !name.hasPrefix("__") : request.patterns.contains { $0.matches(name) }
    }

    private func isWantedMacro(_ name: String) -> Bool {
        guard request.patterns.isEmpty else { return isWanted(name) }
        // Include guards are not constants.
        let isGuard = ["_H", "_H_", "_H__"].contains { name.hasSuffix($0) }
        return !name.hasPrefix("_") && !isGuard
    }

    /// Returns the reason why a function has no symbol to call; nil if it has one.
    private func reasonAgainst(_ function: SyntaxNode) -> String? {
        if function.storage == "static" {
            return "static\(function.isInline ? " inline" : ""): compiled into callers, not in the library"
        }
        let symbol = function.symbol
        if let symbols = library.symbols {
            if symbols.contains(symbol) { return nil }
            if isOnlyInline(function) { return HeaderImporter.inlineReason }
            let name = symbol == function.name ? "with this name" : "'\(symbol)'"
            let other = others.first { $0.symbols?.contains(symbol) ?? false }
            return "\(library.name) has no symbol \(name)" + (other.map { ", but \($0.name) has" } ?? "")
        }
        return isOnlyInline(function) ? HeaderImporter.inlineReason : nil
    }

    private static let inlineReason = "inline: compiled into callers, not in the library"

    private func isOnlyInline(_ function: SyntaxNode) -> Bool { function.isInline && function.storage != "extern" }

    /// Returns the variables of the headers, which are declared by hand.
    private func variables() -> [ImportedHeader.Omission] {
        var seen: Set<String> = []
        return tree.nodes.filter { node in
            node.kind == "VarDecl" && files.contains(node.file) && isWanted(node.name)
                && seen.insert(node.name).inserted
        }.map { node in
            let declaration = TypeText.declaration(of: node.name, node.type)
            let annotation = node.type.hasSuffix("[]") ? ", with \"return\": \"string\" if a NUL ends it" : ""
            let reason = "variable: read by a selector if the declarations have 'extern \(declaration);'\(annotation)"
            return ImportedHeader.Omission(kind: .variable, name: node.name, reason: reason)
        }
    }

    /// Returns the indices of all wanted enums in the headers, even if no function uses them: flags are often passed as
    /// int.
    private func enumerations() -> [Int] {
        tree.nodes.indices.filter { index in
            let node = tree.nodes[index]
            guard node.kind == "EnumDecl", files.contains(node.file) else { return false }
            return node.children.contains { $0.kind == "EnumConstantDecl" && isWanted($0.name) }
        }
    }
}

extension SyntaxNode {
    /// The name of a function for the linker.
    var symbol: String { mangledName.isEmpty ? name : mangledName }

    /// The names of a function's parameters; "" for a parameter without a name.
    var parameterNames: [String] { children.filter { $0.kind == "ParmVarDecl" }.map(\.name) }
}
