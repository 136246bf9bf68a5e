/// What the program itself offers to its components.
package struct HostDeclaration: Sendable {
    /// Its own link classes.
    package var classes: [ClassDeclaration] = []
    /// The services and models that the program was compiled with.
    package var contract = Contract.empty

    package init(classes: [ClassDeclaration] = [], contract: Contract = .empty) {
        self.classes = classes
        self.contract = contract
    }

    func classDeclaration(_ name: String) -> ClassDeclaration? { classes.first { $0.name == name } }

    /// The first of its classes that provides the service.
    func provider(of service: String) -> ClassDeclaration? { classes.first { $0.provides.contains(service) } }
}
