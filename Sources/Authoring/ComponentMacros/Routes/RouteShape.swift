import ManifestRules
import Routing
import SwiftSyntax
import SwiftSyntaxBuilder

/// The attribute `@Route("studio://video/:id", "/watch/:id", public: true, tags: ["signed-in"], priority: 5)`.
struct RouteShape {
    /// The patterns, each with the literal that it was written as.
    let patterns: [(pattern: RoutePattern, literal: ExprSyntax)]
    private let traits: RouteTraits

    var priority: Int { traits.priority }

    /// Returns the routes of a function in the order of its attributes, after checking them against its parameters.
    static func routes(of function: FunctionShape) throws(MacroDiagnostic) -> [RouteShape] {
        var routes: [RouteShape] = []
        var count = 0
        for case .attribute(let attribute) in function.declaration.attributes
        where attribute.attributeName.trimmedDescription.split(separator: ".").last == "Route" {
            let route = try RouteShape(attribute)
            guard !routes.contains(where: { $0.traits == route.traits }) else {
                throw MacroDiagnostic(
                    "another @Route of this function has the same access, tags and priority: write all patterns in "
                        + "one @Route",
                    at: attribute)
            }
            for (pattern, literal) in route.patterns {
                count += 1
                guard count <= RouteRules.maximumRoutes else {
                    throw MacroDiagnostic(
                        "a function can have at most \(RouteRules.maximumRoutes) routes", at: literal)
                }
                try RouteChecks(pattern, literal, of: function).check()
            }
            routes.append(route)
        }
        if let first = routes.first?.patterns.first {
            try RouteChecks(first.pattern, first.literal, of: function).checkRest()
        }
        return routes
    }

    private init(_ attribute: AttributeSyntax) throws(MacroDiagnostic) {
        var arguments = MacroArguments(attribute)
        var patterns: [(RoutePattern, ExprSyntax)] = []
        while let literal = arguments.takeUnlabelled() {
            patterns.append((try RouteShape.pattern(literal), literal))
        }
        guard !patterns.isEmpty else {
            throw MacroDiagnostic("a route needs a pattern, as in @Route(\"studio://video/:id\")", at: attribute)
        }
        self.patterns = patterns
        traits = try RouteTraits(arguments)
    }

    private static func pattern(_ literal: ExprSyntax) throws(MacroDiagnostic) -> RoutePattern {
        let text = try MacroArguments.text(literal) ?? ""
        do throws(RoutePatternError) {
            return try RoutePattern(text)
        } catch {
            throw MacroDiagnostic(
                "the pattern \(text.quoted) is invalid at byte \(error.offset): \(error.message)", at: literal)
        }
    }

    /// The routes as entries of the manifest.
    var notes: [NoteValue] {
        patterns.map { pattern, _ in
            var members = NoteMembers()
            members.add("pattern", pattern.text)
            members.add("public", flag: traits.isPublic && traits.sources.isEmpty)
            members.add("public", items: traits.sources.map { .string($0) })
            members.add("tags", items: traits.tags.map { .string($0) })
            members.add("priority", number: traits.priority)
            return members.value
        }
    }
}

/// The labelled arguments of `@Route` and `@Intercepts`.
struct RouteTraits: Equatable {
    let isPublic: Bool
    /// The only sources outside that may open a public route; empty for all.
    let sources: [String]
    let tags: [String]
    let priority: Int

    init(_ arguments: MacroArguments) throws(MacroDiagnostic) {
        (isPublic, sources) = try RouteTraits.access(arguments["public"])
        tags = try RouteTraits.tags(arguments["tags"])
        priority = try arguments.priority()
    }

    private static func access(_ value: ExprSyntax?) throws(MacroDiagnostic) -> (isPublic: Bool, sources: [String]) {
        guard let value else { return (false, []) }
        if let literal = value.as(BooleanLiteralExprSyntax.self) {
            return (literal.literal.tokenKind == .keyword(.true), [])
        }
        guard let array = value.as(ArrayExprSyntax.self) else {
            throw MacroDiagnostic(
                "expected true, false or the names of sources such as [\"browser\"]: a macro reads source code, not "
                    + "values", at: value)
        }
        guard !array.elements.isEmpty else {
            throw MacroDiagnostic("expected at least one source: write false for a route without one", at: value)
        }
        return (true, try words(array, .routeSource, called: "source", most: RouteRules.maximumSources))
    }

    private static func tags(_ list: ExprSyntax?) throws(MacroDiagnostic) -> [String] {
        guard let list else { return [] }
        guard let array = list.as(ArrayExprSyntax.self) else {
            throw MacroDiagnostic("expected an array literal such as [\"signed-in\"]", at: list)
        }
        return try words(array, .routeTag, called: "tag", most: RouteRules.maximumTags)
    }

    private static func words(
        _ array: ArrayExprSyntax, _ rule: TextRule, called noun: String, most: Int
    ) throws(MacroDiagnostic) -> [String] {
        var words: [String] = []
        for element in array.elements {
            let word = try MacroArguments.text(element.expression) ?? ""
            try rule.check(word, of: noun, at: element.expression)
            guard !words.contains(word) else {
                throw MacroDiagnostic("duplicate \(noun) \(word.quoted): remove it", at: element.expression)
            }
            words.append(word)
        }
        guard words.count <= most else {
            throw MacroDiagnostic("expected at most \(most) \(noun)s, found \(words.count)", at: array)
        }
        return words
    }
}

extension MacroArguments {
    /// Returns the argument `priority`; 0 if it is missing.
    func priority() throws(MacroDiagnostic) -> Int {
        guard let value = self["priority"] else { return 0 }
        guard let number = Int(value.trimmedDescription.replacing("_", with: "")) else {
            throw MacroDiagnostic("expected an integer such as 10: a macro reads source code, not values", at: value)
        }
        guard RouteRules.priorities.contains(number) else {
            throw MacroDiagnostic(
                "the priority \(number) is invalid: expected \(RouteRules.expectedPriority)", at: value)
        }
        return number
    }
}

/// Rejects two routes of one class or service that match the same URLs with the same priority.
struct RouteUniqueness {
    private struct Known {
        let shape: RoutePattern.Shape
        let priority: Int
        let text: String
        let selector: String
    }

    private var known: [Known] = []

    /// Adds the routes of a function.
    ///
    /// - Throws: `MacroDiagnostic` if an earlier one has the same shape and priority.
    mutating func add(_ function: FunctionShape) throws(MacroDiagnostic) {
        for route in function.routes {
            for (pattern, literal) in route.patterns {
                let shape = function.typed(pattern).shape
                if let other = known.first(where: { $0.shape == shape && $0.priority == route.priority }) {
                    throw MacroDiagnostic(
                        "the route \(pattern.text.quoted) matches the same URLs as \(other.text.quoted) of "
                            + "\(other.selector): change one of the patterns, or give one a priority",
                        at: literal)
                }
                known.append(
                    Known(
                        shape: shape, priority: route.priority, text: pattern.text, selector: function.selector))
            }
        }
    }
}

extension FunctionShape {
    /// Returns the pattern with the types of the function's parameters.
    func typed(_ pattern: RoutePattern) -> RoutePattern {
        pattern.typed { name in
            guard let parameter = parameters.first(where: { $0.key == name }) else { return nil }
            return RouteParameterType(parameter.type.written).placeholder.map { ValueType(name: $0) }
        }
    }
}
