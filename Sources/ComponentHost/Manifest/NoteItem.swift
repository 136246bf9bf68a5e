import ComponentKit

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
