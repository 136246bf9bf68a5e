public import ComponentKit

/// What a host knows of page modules, from the manifests of its components: its class `hslink.Pages`.
///
/// All functions may be called from any thread, and load no component. They throw a `LinkError`.
@LinkService("org.hslink.host.pages/1", kind: .class)
public protocol HostPagesService: Sendable {
    /// Returns the page modules that components offer, sorted by name.
    func modules() throws -> PageModuleList

    /// Compares the data that a page has for a module with the model in the module's manifest. Nothing is wrong with a
    /// module that does not exist.
    ///
    /// - Parameters:
    ///   - module: the name of the module.
    ///   - data: the data; nil if the page has none.
    @Selector(.strict) func check(module: String, data: Payload?) throws -> PageDataProblems

    /// Reads values from the query of a URL as the data of a module: each text becomes what the field of that name in the
    /// module's model takes, as for the parameter of a route. Nothing is read for a module that does not exist.
    ///
    /// - Parameters:
    ///   - module: the name of the module.
    ///   - query: the query, percent-encoded, without the question mark. A name that is repeated is an array.
    @Selector(.strict) func read(module: String, query: String) throws -> PageValues
}

/// The page modules of a host.
@Model public struct PageModuleList: Hashable, Sendable {
    /// Sorted by name.
    public var modules: [PageModuleRow]
}

/// A page module that a component offers.
@Model(.sparse) public struct PageModuleRow: Hashable, Sendable {
    /// The name that pages use.
    public var name: String
    /// The component.
    public var component: String
    /// The class that has the selector.
    public var `class`: String
    /// The selector that answers the view.
    public var selector: String
    /// "class" if the selector is called on the class.
    public var kind: String = "object"
    /// Whether it returns a boolean, which hides sections, instead of a view.
    public var condition: Bool = false
    /// The keys of the payload of the call: first the context, then the data if the module has any.
    public var parameters: [FieldRow]
    /// The fields of the model of its data; empty if it has no data, or the manifest has no such model.
    public var data: [FieldRow] = []
    /// Why pages do not show it: another module has the same name, or the file of the component is gone.
    public var problem: String?
}

/// A parameter or a field, as a manifest declares it.
@Model public struct FieldRow: Hashable, Sendable {
    /// The key.
    public var name: String
    /// The type with its default, as in "Int = 10".
    public var type: String
}

/// What does not fit in the data of a page.
@Model public struct PageDataProblems: Hashable, Sendable {
    /// At most 100.
    public var problems: [PageDataProblem]
}

/// A value that does not fit.
@Model public struct PageDataProblem: Hashable, Sendable {
    /// The keys and indices that lead to the value, from the data on.
    public var path: [Payload]
    /// What was expected.
    public var expected: String
    /// What was found.
    public var found: String
}

/// Values that have been read from a query.
@Model(.sparse) public struct PageValues: Hashable, Sendable {
    /// The data for the module; null if there is none, or if something is wrong.
    public var data: Payload = .null
    /// The first value that is wrong, unknown or missing; nil if nothing is.
    public var problem: PageValueProblem?
}

/// A value of a query that does not fit.
@Model public struct PageValueProblem: Hashable, Sendable {
    /// The name of the value; empty if the problem is about all of them.
    public var name: String
    /// What is wrong, as a sentence with the name.
    public var reason: String
}
