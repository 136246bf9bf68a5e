import ComponentKit
import ManifestRules
import SystemSupport

/// A class, service or model as it was found: in a note of its own, or in a list of the component's note.
struct NoteItem<Declaration> {
    let declaration: Declaration
    /// The Swift module that it is from; nil when its note does not say.
    let module: String?
    /// The note in words, for messages.
    let note: String
    /// Where in the note it stands.
    var path: [PayloadError.PathElement] = []

    /// Reads a note of its own.
    ///
    /// - Throws: the error of `read`, with the note.
    init(
        _ json: Payload, _ what: String, _ read: (Payload, _ module: String?) throws(PayloadError) -> Declaration
    ) throws(ComponentFileError) {
        module = (try? json.stringIfPresent("module")) ?? nil
        let name = ((try? json.stringIfPresent("name")) ?? nil).map { " \($0.quoted())" } ?? ""
        let ofModule = module.map { " of module \($0.quoted())" } ?? ""
        note = "the note about \(what)\(name)\(ofModule)"
        do throws(PayloadError) {
            declaration = try read(json, module)
        } catch {
            throw .invalidManifest(note, error)
        }
    }

    /// An item of a list of the component's note.
    init(_ declaration: Declaration, in key: String, _ index: Int, module: String) {
        self.declaration = declaration
        self.module = module
        note = ComponentFileError.manifestNote
        path = [.key(key), .index(index)]
    }

    /// The error with the note and the place of this item.
    func refused(_ error: PayloadError) -> ComponentFileError {
        .invalidManifest(note, path.reversed().reduce(error) { $0.within($1) })
    }

    /// - Throws: the error of `read` with the note and the place of this item.
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
    /// The note of a component in messages.
    static let manifestNote = "the manifest"

    static func invalidManifest(_ note: String, _ error: PayloadError) -> ComponentFileError {
        ComponentFileError(code: .invalidManifest, message: "\(note) does not keep to the rules: \(error)")
    }
}

/// The services and models of one file, or of one image in memory: each once, whatever number of notes say it.
struct ServiceNotes {
    private(set) var services: [NoteItem<ServiceDeclaration>] = []
    private(set) var models: [NoteItem<ModelDeclaration>] = []
    private var indexOfService: [String: Int] = [:]
    private var indexOfModel: [[String]: Int] = [:]
    /// By protocol as it may be written: alone, and with its module.
    private var indicesOfProtocol: [String: [Int]] = [:]
    /// The same, with the module that the service is from in front.
    private var indicesOfOwnProtocol: [[String]: [Int]] = [:]
    /// Of more services than these a message does not speak.
    private static let maximumNamed = 8

    /// What they say, without where it stands.
    var contract: Contract {
        Contract(services: services.map(\.declaration), models: models.map(\.declaration))
    }

    /// - Throws: when a service of that name is there and says something else.
    mutating func add(_ item: NoteItem<ServiceDeclaration>) throws(ComponentFileError) {
        let declaration = item.declaration
        if let index = indexOfService[declaration.name] {
            guard services[index].declaration == declaration else {
                throw item.refused(
                    PayloadError(
                        path: ["name"], expected: "one service of this name in a file",
                        found: "\(declaration.name.quoted()) again, which says something else in "
                            + services[index].note))
            }
            return
        }
        indexOfService[declaration.name] = services.count
        let name = declaration.protocolName
        for spelling in [name, "\(declaration.module).\(name)"] {
            indicesOfProtocol[spelling, default: []].append(services.count)
            indicesOfOwnProtocol[[declaration.module, spelling], default: []].append(services.count)
        }
        services.append(item)
    }

    /// - Throws: when a model of that name and module is there and says something else.
    mutating func add(_ item: NoteItem<ModelDeclaration>) throws(ComponentFileError) {
        let declaration = item.declaration
        let key = [declaration.module, declaration.name]
        if let index = indexOfModel[key] {
            guard models[index].declaration == declaration else {
                throw item.refused(
                    PayloadError(
                        path: ["name"], expected: "one model of this name and module in a file",
                        found: "\(declaration.name.quoted()) again, which says something else in "
                            + models[index].note))
            }
            return
        }
        indexOfModel[key] = models.count
        models.append(item)
    }

    /// The name of the service behind what an author wrote.
    ///
    /// - Parameters:
    ///   - text: the service's name, which has a slash in it; else a protocol as in `AccountService`,
    ///     `AccountContract.AccountService` or `Outer.Inner`.
    ///   - module: of the author: of several protocols of one name its own is meant.
    /// - Throws: when no service of a note has the protocol, or several have.
    func serviceName(of text: String, from module: String?) throws(PayloadError) -> String {
        if text.contains("/") {
            guard TextRule.service.allows(text) else {
                throw PayloadError(expected: TextRule.service.expected, found: text.quoted())
            }
            return text
        }
        let named = indicesOfProtocol[text] ?? []
        let own = module.flatMap { indicesOfOwnProtocol[[$0, text]] } ?? []
        let meant = own.count == 1 ? own : named
        guard let first = meant.first.map({ services[$0].declaration }) else {
            throw PayloadError(
                expected: "a service's name as \"com.example.account/1\", or a protocol that a note about a service "
                    + "in this file names", found: text.quoted())
        }
        guard meant.count == 1 else {
            let all = meant.prefix(ServiceNotes.maximumNamed).map { index in
                let service = services[index].declaration
                return "\(service.module).\(service.protocolName) (\(service.name))"
            }.sorted()
            throw PayloadError(
                expected: "the protocol with its module in front, since there are \(all.joined(separator: " and "))",
                found: text.quoted())
        }
        return first.name
    }

    /// The service of this name; nil when the file does not describe it.
    func service(_ name: String) -> ServiceDeclaration? {
        indexOfService[name].map { services[$0].declaration }
    }
}
