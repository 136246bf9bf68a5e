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
            members.add("public", flag: traits.isPublic)
            members.add("tags", items: traits.tags.map { .string($0) })
            members.add("priority", number: traits.priority)
            return members.value
        }
    }
}

/// The labelled arguments of `@Route` and `@Intercepts`.
struct RouteTraits: Equatable {
    let isPublic: Bool
    let tags: [String]
    let priority: Int

    init(_ arguments: MacroArguments) throws(MacroDiagnostic) {
        isPublic = try arguments.flag(labelled: "public")
        tags = try RouteTraits.tags(arguments["tags"])
        priority = try arguments.priority()
    }

    private static func tags(_ list: ExprSyntax?) throws(MacroDiagnostic) -> [String] {
        guard let list else { return [] }
        guard let array = list.as(ArrayExprSyntax.self) else {
            throw MacroDiagnostic("expected an array literal such as [\"signed-in\"]", at: list)
        }
        var tags: [String] = []
        for element in array.elements {
            let tag = try MacroArguments.text(element.expression) ?? ""
            try TextRule.routeTag.check(tag, of: "tag", at: element.expression)
            guard !tags.contains(tag) else {
                throw MacroDiagnostic("duplicate tag \(tag.quoted): remove it", at: element.expression)
            }
            tags.append(tag)
        }
        guard tags.count <= RouteRules.maximumTags else {
            throw MacroDiagnostic("expected at most \(RouteRules.maximumTags) tags, found \(tags.count)", at: list)
        }
        return tags
    }
}

extension MacroArguments {
    /// Returns the value of the literal with this label; false if the argument is missing.
    fileprivate func flag(labelled label: String) throws(MacroDiagnostic) -> Bool {
        guard let value = self[label] else { return false }
        guard let literal = value.as(BooleanLiteralExprSyntax.self) else {
            throw MacroDiagnostic("expected true or false: a macro reads source code, not values", at: value)
        }
        return literal.literal.tokenKind == .keyword(.true)
    }

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
