/// What a component needs of others, in `@Component(requires:)`. Hosts read it from the manifest: an unmet one keeps
/// the component from being loaded, with the reason; an optional one is shown.
public struct ComponentRequirement: Sendable {
    /// Another component.
    ///
    /// - Parameters:
    ///   - name: of the component.
    ///   - versions: a range as in ">=1.0.0 <2.0.0"; none, or an empty text, for any.
    ///   - optional: whether the component also works without.
    public static func component(
        _ name: StaticString, _ versions: StaticString = "", optional: Bool = false
    ) -> ComponentRequirement { ComponentRequirement() }

    /// A link class, of any component or of the host.
    ///
    /// - Parameters:
    ///   - name: of the class.
    ///   - selectors: those that are called; with a `+` before them those of the class.
    ///   - optional: whether the component also works without.
    public static func `class`(
        _ name: StaticString, selectors: [StaticString] = [], optional: Bool = false
    ) -> ComponentRequirement { ComponentRequirement() }

    /// A service, in the form that the component was compiled against.
    ///
    /// - Parameters:
    ///   - type: its protocol, as in `(any AccountService).self`.
    ///   - optional: whether the component also works without.
    public static func service(_ type: Any.Type, optional: Bool = false) -> ComponentRequirement {
        ComponentRequirement()
    }

    /// A service by its name, as in "com.example.account/1".
    public static func service(_ name: StaticString, optional: Bool = false) -> ComponentRequirement {
        ComponentRequirement()
    }
}
