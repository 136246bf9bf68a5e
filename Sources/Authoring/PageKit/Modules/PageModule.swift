/// Offers a view for pages: the function is called when a page has a section with this module.
///
/// ```swift
/// @LinkClass
/// final class OwnerPages {
///     @PageModule("owner.addresses")
///     func addresses(_ context: PageContext) async throws -> some View {
///         List(try await store.addresses()) { address in Row(address.label, detail: address.city).key(address.id) }
///     }
///
///     @PageModule("owner.companies")
///     func companies(_ context: PageContext, data: CompanyFilter) async throws -> some View { … }
/// }
/// ```
///
/// The function takes a ``PageContext`` and, if the module has data that a page gives to it, a second parameter with a
/// model. A page can take values as such data, too, and pass them on to its modules, its delegate and its
/// conditions. The name is in the file's manifest, so a host knows the modules of a component without loading it. What an
/// ``Action/call(_:_:title:confirm:role:)`` of the view calls is another selector of the same class.
///
/// - Parameter name: the name that pages use, of letters, digits, `_`, `.` and `-`.
@attached(peer)
public macro PageModule(_ name: StaticString) = #externalMacro(module: "ComponentMacros", type: "PageModuleMacro")
