/// The spellings under which a class and its selectors answer to a target and its actions. Callers say "Video" and
/// "probe"; the component may have a class `VideoLink`, or `Target_Video` with a selector `Action_probe`.
///
/// Hosts turn the spellings around once, when they build their tables, so that a call joins no names.
package enum TargetNames {
    /// The prefix of a class, and of its selectors, in components that follow CTMediator's convention.
    private static let (targetPrefix, actionPrefix) = ("Target_", "Action_")

    /// The action that receives requests for actions that a target does not have.
    package static let notFound = "notFound"
    /// The target, and its action, that receive requests that no other target answers.
    package static let fallback = (target: "NoTargetAction", action: "response")

    // MARK: - Classes

    /// Returns the names of the class of a target, in order of preference.
    package static func classes(of target: String) -> [String] { ["\(target)Link", target, targetPrefix + target] }

    /// Returns the target that a class answers to under the spelling with this index in ``classes(of:)``; nil if the
    /// name is not spelt like that.
    package static func target(of className: String, spelling: Int) -> String? {
        switch spelling {
        case 0: className.hasSuffix("Link") && className != "Link" ? String(className.dropLast(4)) : nil
        case 1: className
        default: className.hasPrefix(targetPrefix) && className != targetPrefix ? shortened(className) : nil
        }
    }

    /// The number of spellings of a class.
    package static let spellings = 0..<3

    /// Returns the name by which callers usually call a class.
    package static func target(of className: String) -> String {
        target(of: className, spelling: 2) ?? target(of: className, spelling: 0) ?? className
    }

    private static func shortened(_ className: String) -> String { String(className.dropFirst(targetPrefix.count)) }

    // MARK: - Selectors

    /// Returns the names of the selector of an action, in order of preference.
    ///
    /// Only a class whose name begins with `Target_` has other spellings. One of them has a trailing colon, since the
    /// selectors of a component that was ported from Objective-C have it in their names. It says nothing about the
    /// parameters: every action takes one dictionary.
    package static func selectors(of action: String, in className: String) -> [String] {
        guard className.hasPrefix(targetPrefix) else { return [action] }
        return [action, actionPrefix + action, action + ":", actionPrefix + action + ":"]
    }

    /// Returns the actions that a selector answers to, each with its index in ``selectors(of:in:)``.
    private static func actions(of selector: String, in className: String) -> [(action: String, spelling: Int)] {
        var actions = [(selector, 0)]
        guard className.hasPrefix(targetPrefix) else { return actions }
        let hasColon = selector.hasSuffix(":") && selector != ":"
        if hasColon { actions.append((String(selector.dropLast()), 2)) }
        guard selector.hasPrefix(actionPrefix), selector.utf8.count > actionPrefix.utf8.count else { return actions }
        let rest = selector.dropFirst(actionPrefix.count)
        actions.append((String(rest), 1))
        if hasColon, rest != ":" { actions.append((String(rest.dropLast()), 3)) }
        return actions
    }

    /// Returns the actions of a class with the index of the selector that each one calls. If an action occurs twice,
    /// its first selector counts: object methods come before class methods, and exact names before other spellings.
    package static func actions(
        of className: String, _ selectors: [(name: String, kind: SelectorKind)]
    ) -> [(action: String, index: Int)] {
        var ranks: [[(String, Int)]] = Array(repeating: [], count: 8)
        for (index, selector) in selectors.enumerated() {
            for (action, spelling) in actions(of: selector.name, in: className) {
                ranks[(selector.kind == .object ? 0 : 4) + spelling].append((action, index))
            }
        }
        return ranks.flatMap(\.self)
    }
}
