/// What a macro leaves in section `hslink_records`: a component, one of its link classes, or a model that can be
/// thrown.
///
/// Macros write the accessors; nobody else needs these functions. The answers are retained and live
/// as long as the process.
public enum __LinkRecord {
    /// The record of a component.
    ///
    /// - Parameters:
    ///   - module: the Swift module that the manifest stands in.
    ///   - name: of the component, as in its manifest.
    ///   - version: of the component, as in its manifest.
    ///   - type: the class that starts and ends with the component, where it has one.
    public static func component(
        module: String, name: String, version: String, type: (any Component.Type)? = nil
    ) -> UnsafeRawPointer? {
        unsafe retained(Entry(module: module, content: .component(name: name, version: version, type: type)))
    }

    /// The record of a link class.
    ///
    /// - Parameters:
    ///   - module: the Swift module that the manifest stands in.
    ///   - name: under which callers find the class.
    ///   - type: the class itself.
    ///   - instances: how the host keeps its instances.
    public static func linkClass<Target: LinkClass>(
        module: String, name: String, type: Target.Type, instances: InstancePolicy = .shared
    ) -> UnsafeRawPointer? {
        unsafe retained(Entry(module: module, content: .linkClass(ClassTable(type, name: name, instances: instances))))
    }

    /// The record of a model that is an error: how it becomes itself again when it comes from another component.
    ///
    /// - Parameters:
    ///   - module: the Swift module of the model.
    ///   - name: of the model in its module, as in `Outer.Inner`.
    ///   - type: the model itself.
    public static func modelError<Model: ModelError>(
        module: String, name: String, type: Model.Type
    ) -> UnsafeRawPointer? {
        unsafe retained(Entry(module: module, content: .modelError(name: name, type: type)))
    }

    final class Entry: Sendable {
        enum Content: Sendable {
            case component(name: String, version: String, type: (any Component.Type)?)
            case linkClass(ClassTable)
            case modelError(name: String, type: any ModelError.Type)
        }

        let module: String
        let content: Content

        init(module: String, content: Content) {
            self.module = module
            self.content = content
        }
    }

    private static func retained(_ entry: Entry) -> UnsafeRawPointer {
        unsafe UnsafeRawPointer(Unmanaged.passRetained(entry).toOpaque())
    }
}
