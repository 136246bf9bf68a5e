/// What matters about a source file: its imports and what it declares.
package struct SourceFacts: Hashable, Sendable {
    /// An import of a module.
    package struct Import: Hashable, Sendable {
        /// The module, without the names of submodules and declarations.
        package let module: String
        /// The position of the module's name.
        package let position: SourcePosition
    }

    /// The imports in order, including those in every branch of `#if`.
    package var imports: [Import] = []
    /// The position of `@Component`, or of `HSLINK_MANIFEST` in a file in C.
    package var component: SourcePosition?
    /// The layer in `@Component(layer:)`, such as "weakBusiness".
    package var declaredLayer: String?
    /// The position of the first `@LinkService`.
    package var service: SourcePosition?
    /// The names of the protocols with `@LinkService`.
    package var services: [String] = []
    /// The names of the protocols in `@LinkClass(provides:)`.
    package var provides: [String] = []

    /// Reads a file in Swift.
    package init(swift bytes: [UInt8]) {
        let source = SourceTokens(bytes)
        for index in source.tokens.indices {
            if let name = source.moduleName(ofImportAt: index) {
                imports.append(Import(module: source.text(name), position: source.position(of: name)))
            } else if source.has(.mark, "@", at: index) {
                let position = { source.position(of: source.tokens[index]) }
                if let name = source.name("Component", ofAttributeAt: index) {
                    component = component ?? position()
                    declaredLayer = declaredLayer ?? source.lastName(ofArgument: "layer", after: name)
                } else if let name = source.name("LinkService", ofAttributeAt: index) {
                    service = service ?? position()
                    if let name = source.nameOfProtocol(after: name) { services.append(name) }
                } else if let name = source.name("LinkClass", ofAttributeAt: index),
                    let provided = source.lastName(ofArgument: "provides", after: name)
                {
                    provides.append(provided)
                }
            }
        }
    }

    /// Reads a file in C, C++ or Objective-C. Its `#include` lines are not read.
    package init(c bytes: [UInt8]) {
        let source = SourceTokens(bytes)
        for index in source.tokens.indices
        where source.has(.word, "HSLINK_MANIFEST", at: index) && source.has(.mark, "(", at: index + 1) {
            component = source.position(of: source.tokens[index])
            return
        }
    }
}

extension SourceTokens {
    /// Returns the name of the module that is imported by the word at an index; nil if the word begins no import.
    ///
    /// `import` may also be the label of an argument or parameter. An import is a statement of its own, outside
    /// parentheses, and a name follows it.
    fileprivate func moduleName(ofImportAt index: Int) -> SourceToken? {
        guard has(.word, "import", at: index), tokens[index].depth == 0, beginsStatement(index) else { return nil }
        var next = index + 1
        if SourceTokens.importKinds.contains(where: { has(.word, $0, at: next) }) {
            // The kind of a declaration, as in "import struct A.B".
            next += 1
        }
        guard tokens.indices.contains(next), [.word, .quotedWord].contains(tokens[next].kind) else { return nil }
        return tokens[next]
    }

    private static let importKinds: [StaticString] = [
        "actor", "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]

    private static let modifiers: [StaticString] = [
        "public", "package", "internal", "private", "fileprivate", "open",
    ]

    /// Returns whether only modifiers and attributes precede the token at an index in its statement.
    private func beginsStatement(_ index: Int) -> Bool {
        var index = index
        while true {
            if tokens[index].startsLine || index == 0 || has(.mark, ";", at: index - 1) { return true }
            let before = index - 1
            if SourceTokens.modifiers.contains(where: { has(.word, $0, at: before) }) {
                index = before
            } else if let attribute = attribute(endingAt: before) {
                index = attribute
            } else {
                return false
            }
        }
    }

    /// Returns the index of the `@` of the attribute whose last token is at an index, such as `@testable` or
    /// `@_spi(Name)`; nil if no attribute ends there.
    private func attribute(endingAt index: Int) -> Int? {
        var index = index
        if has(.mark, ")", at: index) {
            let depth = tokens[index].depth
            index -= 1
            let end = max(index - SourceTokens.maximumArguments, 0)
            while index > end, !(has(.mark, "(", at: index) && tokens[index].depth == depth) { index -= 1 }
            index -= 1
        }
        guard index > 0, tokens[index].kind == .word, has(.mark, "@", at: index - 1) else { return nil }
        return index - 1
    }

    /// Returns the index of the name in the attribute of ComponentKit that begins with the `@` at an index; nil if it is
    /// another attribute.
    fileprivate func name(_ name: StaticString, ofAttributeAt index: Int) -> Int? {
        if has(.word, name, at: index + 1) { return has(.mark, ".", at: index + 2) ? nil : index + 1 }
        let isQualified = has(.word, "ComponentKit", at: index + 1) && has(.mark, ".", at: index + 2)
        return isQualified && has(.word, name, at: index + 3) ? index + 3 : nil
    }

    /// The number of tokens after the name of an attribute in which its arguments are read.
    private static let maximumArguments = 200

    /// Returns the last name in an argument of the attribute whose name is at an index, as in `layer: .business` or
    /// `provides: (any Film.Service).self`; nil if there is no such argument.
    fileprivate func lastName(ofArgument label: StaticString, after index: Int) -> String? {
        guard has(.mark, "(", at: index + 1) else { return nil }
        let depth = tokens[index + 1].depth
        // Arguments may go on without an end in a broken file.
        let end = min(index + SourceTokens.maximumArguments, tokens.count)
        var next = index + 2
        while next < end, tokens[next].depth > depth,
            !(tokens[next].depth == depth + 1 && has(.word, label, at: next) && has(.mark, ":", at: next + 1))
        {
            next += 1
        }
        var name: String?
        next += 2
        while next < end, tokens[next].depth > depth, !has(.mark, ",", at: next) {
            if tokens[next].kind == .word, !has(.word, "self", at: next) { name = text(tokens[next]) }
            next += 1
        }
        return name
    }

    /// Returns the name of the protocol to which the attribute with its name at an index belongs.
    fileprivate func nameOfProtocol(after index: Int) -> String? {
        // Arguments, other attributes and modifiers may stand between the two.
        for next in (index + 1)..<min(index + 40, tokens.count) where has(.word, "protocol", at: next) {
            return next + 1 < tokens.count ? text(tokens[next + 1]) : nil
        }
        return nil
    }
}
