/// A kind of component file besides shared objects: the names of such files, and how they are read without running any
/// code. A catalog knows those that it is given.
package struct ComponentFormat: Sendable {
    /// What a file says of itself.
    package typealias Contents = (manifest: Manifest, libraries: [String])

    /// The end of the files' names.
    package let suffix: String

    /// Reads a file; its position does not matter. Returns its manifest, and the libraries that it names: of those that
    /// are there, the first is used.
    package let read: @Sendable (_ file: borrowing OpenFile) throws(ComponentFileError) -> Contents

    package init(
        suffix: String, read: @escaping @Sendable (_ file: borrowing OpenFile) throws(ComponentFileError) -> Contents
    ) {
        self.suffix = suffix
        self.read = read
    }
}

/// The rule for names of component files, shared by everything that scans or watches a directory of components. Backups
/// that package managers, editors and users leave next to a file (`libA.so.bak`, `libA.so.dpkg-old`) are not component
/// files, whatever they contain.
enum PluginFileName {
    /// The file name extension of shared objects.
    private static let library = ".so"

    /// Whether this is the name of a component file.
    static func isPlugin(_ name: String, _ formats: [ComponentFormat]) -> Bool {
        !name.hasExactPrefix(".") && (name.hasExactSuffix(library) || format(of: name, formats) != nil)
    }

    /// Returns the format of files with this name; nil for a shared object.
    static func format(of name: String, _ formats: [ComponentFormat]) -> ComponentFormat? {
        formats.first { name.hasExactSuffix($0.suffix) }
    }

    /// The error for a file with any other name.
    static func refusal(_ formats: [ComponentFormat]) -> ComponentFileError {
        ComponentFileError(
            .ignoredName,
            "not the name of a plugin file: it must end in "
                + ([library] + formats.map(\.suffix)).joined(separator: " or ")
                + " and must not begin with a dot; rename the file to use it")
    }
}
