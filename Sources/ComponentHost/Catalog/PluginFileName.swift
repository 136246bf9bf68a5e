/// The one rule for the names of component files, for all who look into a directory of them: what package managers,
/// editors and people lay aside beside a file (`libA.so.bak`, `libA.so.dpkg-old`) is none, whatever is in it.
enum PluginFileName {
    /// What the names of shared objects end with.
    private static let library = ".so"

    /// Whether a file of this name is a component's.
    static func isPlugin(_ name: String) -> Bool {
        !name.hasPrefix(".") && (name.hasSuffix(library) || name.hasSuffix(DescriptionFile.suffix))
    }

    /// Why a file of another name is none.
    static var refusal: ComponentFileError {
        ComponentFileError(
            code: .ignoredName,
            message: "not the name of a plugin file, which ends in \(library) or \(DescriptionFile.suffix) and does not"
                + " begin with a dot; rename it to use it")
    }
}
