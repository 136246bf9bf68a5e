import ComponentKit

/// A class, service or model as it was found: in a note of its own, or in a list of the component's note.
struct NoteItem {
    let json: Payload
    /// The Swift module that it says it is from; nil when it does not say.
    let module: String?
    /// The note in words, for messages.
    let note: String
    /// Where in the note it stands.
    var path: [PayloadError.PathElement] = []

    /// A note of its own.
    init(_ json: Payload, _ what: String) {
        self.json = json
        module = (try? json.stringIfPresent("module")) ?? nil
        let name = ((try? json.stringIfPresent("name")) ?? nil).map { " \($0.quoted())" } ?? ""
        let place = module.map { " of module \($0.quoted())" } ?? ""
        note = "the note about \(what)\(name)\(place)"
    }

    /// An item of a list of the component's note.
    init(_ json: Payload, in key: String, _ index: Int, module standard: String) {
        self.json = json
        module = ((try? json.stringIfPresent("module")) ?? nil) ?? standard
        note = ComponentFileError.manifestNote
        path = [.key(key), .index(index)]
    }

    /// The error with the note and the place of this item.
    func refused(_ error: PayloadError) -> ComponentFileError {
        var error = error
        for element in path.reversed() { error = error.within(element) }
        return .invalidManifest(note, error)
    }

    /// - Throws: the error of `read` with the note and the place of this item.
    func reading<Value>(
        _ read: (Payload) throws(PayloadError) -> Value
    ) throws(ComponentFileError) -> Value {
        do throws(PayloadError) {
            return try read(json)
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
