/// Makes the records to which section `hslink_records` refers: a component, one of its link classes, or a model that
/// can be thrown.
///
/// Only the accessors that macros generate call these functions. The returned records are retained, and live as long as
/// the process.
public enum __LinkRecord {
    /// Returns the record of a component.
    ///
    /// - Parameters:
    ///   - module: the Swift module that contains the manifest.
    ///   - name: the name of the component, as in its manifest.
    ///   - version: the version of the component, as in its manifest.
    ///   - type: the type that starts and stops with the component; nil if there is none.
    public static func component(
        module: String, name: String, version: String, type: (any Component.Type)? = nil
    ) -> UnsafeRawPointer? {
        unsafe retained(Entry(module: module, content: .component(name: name, version: version, type: type)))
    }

    /// Returns the record of a link class.
    ///
    /// - Parameters:
    ///   - module: the Swift module that contains the manifest.
    ///   - name: the name by which callers find the class.
    ///   - type: the class itself.
    ///   - instances: the host's policy for instances of the class.
    public static func linkClass<Target: LinkClass>(
        module: String, name: String, type: Target.Type, instances: InstancePolicy = .shared
    ) -> UnsafeRawPointer? {
        unsafe retained(Entry(module: module, content: .linkClass(ClassTable(type, name: name, instances: instances))))
    }

    /// Returns the record of a model that is an error. With it, this image restores an error that another component
    /// threw.
    ///
    /// - Parameters:
    ///   - module: the Swift module of the model.
    ///   - name: the name of the model in its module, such as `Outer.Inner`.
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
