import ComponentKit
import ManifestRules
import SystemSupport

/// A class, service or model, from a note of its own or from a list in the component's note.
struct NoteItem<Declaration> {
    let declaration: Declaration
    /// The Swift module of the declaration; nil when its note does not specify one.
    let module: String?
    /// The description of the note, for messages.
    let note: String
    /// The path of the declaration in the note.
    var path: [PayloadError.PathElement] = []
    /// The text of a note of its own, parsed.
    private var json: Payload?

    /// Reads a declaration from a note of its own.
    ///
    /// - Throws: The error of `read`, with the note.
    init(
        _ json: Payload, _ what: String, with read: (Payload, _ module: String?) throws(PayloadError) -> Declaration
    ) throws(ComponentFileError) {
        self.json = json
        module = (try? json.stringIfPresent("module")) ?? nil
        let name = ((try? json.stringIfPresent("name")) ?? nil).map { " \($0.quoted())" } ?? ""
        let ofModule = module.map { " in module \($0.quoted())" } ?? ""
        note = "the note about \(what)\(name)\(ofModule)"
        do throws(PayloadError) {
            declaration = try read(json, module)
        } catch {
            throw .invalidManifest(note, error)
        }
    }

    /// Creates an item for a declaration in a list in the component's note.
    init(_ declaration: Declaration, in key: String, _ index: Int, module: String) {
        self.declaration = declaration
        self.module = module
        note = ComponentFileError.manifestNote
        path = [.key(key), .index(index)]
    }

    /// Whether both come from notes with the same text. Most repetitions do: each object file has a copy of the note,
    /// and texts are compared in less time than declarations.
    func hasSameNote(as other: NoteItem) -> Bool { json != nil && json == other.json }

    /// Returns the error with the note and the path of this item.
    func refused(_ error: PayloadError) -> ComponentFileError {
        .invalidManifest(note, path.reversed().reduce(error) { $0.within($1) })
    }

    /// Returns the error for a name that another item has declared differently.
    fileprivate func refusedAgain(_ name: String, after other: NoteItem, expected: String) -> ComponentFileError {
        refused(
            PayloadError(
                path: ["name"], expected: expected,
                found: "\(name.quoted()) again, declared differently in \(other.note)"))
    }

    /// Calls `read` with the declaration.
    ///
    /// - Throws: The error of `read`, with the note and the path of this item.
    func reading<Value>(
        _ read: (Declaration) throws(PayloadError) -> Value
    ) throws(ComponentFileError) -> Value {
        do throws(PayloadError) {
            return try read(declaration)
        } catch {
            throw refused(error)
        }
    }
}

extension ComponentFileError {
    /// The description of a component's note, for messages.
    static let manifestNote = "the manifest"

    static func invalidManifest(_ note: String, _ error: PayloadError) -> ComponentFileError {
        ComponentFileError(.invalidManifest, "\(note) is invalid: \(error.text(root: nil))")
    }
}

/// The services and models of one file or one image in memory, without duplicates.
struct ServiceNotes {
    private(set) var services: [NoteItem<ServiceDeclaration>] = []
    private(set) var models: [NoteItem<ModelDeclaration>] = []
    private var indexOfService: [String: Int] = [:]
    private var indexOfModel: [[ExactText]: Int] = [:]
    /// The indices of models that are events by their names, alone and qualified with their modules.
    private var indicesOfEvent: [ExactText: [Int]] = [:]
    /// The indices of services by the protocol's name, alone and qualified with its module.
    private var indicesOfProtocol: [ExactText: [Int]] = [:]
    /// The same indices, by the module of the service and the protocol's name.
    private var indicesOfOwnProtocol: [[ExactText]: [Int]] = [:]
    /// The largest number of services that a message names.
    private static let maximumNamed = 8

    /// The declarations alone, as a contract.
    var contract: Contract {
        Contract(services: services.map(\.declaration), models: models.map(\.declaration))
    }

    /// Adds a service, unless the same declaration has been added before.
    ///
    /// - Throws: `invalidManifest` if a different service with the same name has been added before.
    mutating func add(_ item: NoteItem<ServiceDeclaration>) throws(ComponentFileError) {
        let declaration = item.declaration
        if let index = indexOfService[declaration.name] {
            guard services[index].hasSameNote(as: item) || services[index].declaration.isExactly(declaration) else {
                throw item.refusedAgain(
                    declaration.name, after: services[index], expected: "one service with this name per file")
            }
            return
        }
        indexOfService[declaration.name] = services.count
        let name = declaration.protocolName
        for spelling in [ExactText(name), ExactText("\(declaration.module).\(name)")] {
            indicesOfProtocol[spelling, default: []].append(services.count)
            indicesOfOwnProtocol[[ExactText(declaration.module), spelling], default: []].append(services.count)
        }
        services.append(item)
    }

    /// Adds a model, unless the same declaration has been added before.
    ///
    /// - Throws: `invalidManifest` if a different model with the same name and module has been added before.
    mutating func add(_ item: NoteItem<ModelDeclaration>) throws(ComponentFileError) {
        let declaration = item.declaration
        let key = [ExactText(declaration.module), ExactText(declaration.name)]
        if let index = indexOfModel[key] {
            guard models[index].hasSameNote(as: item) || models[index].declaration.isExactly(declaration) else {
                throw item.refusedAgain(
                    declaration.name, after: models[index], expected: "one model with this name and module per file")
            }
            return
        }
        indexOfModel[key] = models.count
        if declaration.event != nil {
            for spelling in [ExactText(declaration.name), ExactText("\(declaration.module).\(declaration.name)")] {
                indicesOfEvent[spelling, default: []].append(models.count)
            }
        }
        models.append(item)
    }

    /// Returns the name of the service that an author referred to.
    ///
    /// - Parameters:
    ///   - text: The service's name, which contains a slash; otherwise a protocol, as in `AccountService`,
    ///     `AccountContract.AccountService` or `Outer.Inner`.
    ///   - module: The author's module, which is preferred when several protocols have the same name.
    /// - Throws: `PayloadError` if no note describes a service with this protocol, or several do.
    func serviceName(of text: String, from module: String?) throws(PayloadError) -> String {
        if text.hasASCII("/") {
            guard TextRule.service.allows(text) else {
                throw PayloadError(expected: TextRule.service.expected, found: text.quoted())
            }
            return text
        }
        let named = indicesOfProtocol[ExactText(text)] ?? []
        let own = module.flatMap { indicesOfOwnProtocol[[ExactText($0), ExactText(text)]] } ?? []
        let meant = own.count == 1 ? own : named
        guard let first = meant.first.map({ services[$0].declaration }) else {
            throw PayloadError(
                expected: "a service's name, such as \"com.example.account/1\", or a protocol with a service note "
                    + "in this file", found: text.quoted())
        }
        guard meant.count == 1 else {
            let all = meant.prefix(ServiceNotes.maximumNamed).map { index in
                let service = services[index].declaration
                return "\(service.module).\(service.protocolName) (\(service.name))"
            }.sorted()
            throw PayloadError(
                expected: "a protocol qualified with its module, such as \(all.joined(separator: " or "))",
                found: text.quoted())
        }
        return first.name
    }

    /// Returns the name of the event that an author referred to.
    ///
    /// - Parameters:
    ///   - text: The event's name, which contains a slash; otherwise a model that is an event, as in `SignedIn` or
    ///     `AccountContract.SignedIn`.
    ///   - module: The author's module, which is preferred when several models have the same name.
    /// - Throws: `PayloadError` if no note describes such a model, or several do.
    func eventName(of text: String, from module: String?) throws(PayloadError) -> String {
        if text.hasASCII("/") {
            guard TextRule.event.allows(text) else {
                throw PayloadError(expected: TextRule.event.expected, found: text.quoted())
            }
            return text
        }
        let named = (indicesOfEvent[ExactText(text)] ?? []).map { models[$0].declaration }
        let own = module.map { module in named.filter { $0.module.isExactly(module) } } ?? []
        let meant = own.count == 1 ? own : named
        guard let first = meant.first, let event = first.event else {
            let simple = text.hasPrefix("ComponentKit.") ? String(text.dropFirst("ComponentKit.".count)) : text
            if let event = EventRules.names[simple] { return event }
            throw PayloadError(
                expected: "an event's name, such as \"com.example.account/signedIn\", or a model marked @Event that is "
                    + "described in this file", found: text.quoted())
        }
        guard Set(meant.map(\.event)).count == 1 else {
            let all = meant.prefix(3).map { "\($0.module).\($0.name)" }.sorted()
            throw PayloadError(
                expected: "a type qualified with its module, such as \(all.joined(separator: " or "))",
                found: text.quoted())
        }
        return event
    }

    /// Returns the service with this name; nil when the file does not describe it.
    func service(_ name: String) -> ServiceDeclaration? {
        indexOfService[name].map { services[$0].declaration }
    }
}
