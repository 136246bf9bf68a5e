import Glibc

extension TrustChecker {
    /// Opens the file of a component once more, to load it.
    ///
    /// - Parameter file: as the catalogue has it.
    /// - Returns: the same file, open for reading.
    /// - Throws: `changed` when another file lies there by now or it was written to, else as
    ///   ``openFile(path:)``.
    package mutating func reopen(_ file: ComponentFile) throws(ComponentFileError) -> OpenFile {
        let opened = try openFile(path: file.path)
        guard opened.identity == file.identity else {
            throw ComponentFileError(
                code: .changed, message: "the file has changed since it was listed; list the components again")
        }
        return opened
    }

    /// Refuses libraries that a component brings along: those that it needs and that the dynamic loader
    /// would take from a place relative to the component's file.
    ///
    /// - Parameters:
    ///   - dynamic: of the component.
    ///   - path: the canonical path of its file.
    /// - Throws: what the policy refuses, with the name of the library.
    mutating func checkLibraries(_ dynamic: ElfDynamic, of path: String) throws(ComponentFileError) {
        guard policy.isChecked else { return }
        let origin = TrustChecker.split(path).directory
        let places = dynamic.runPath.map { entry in
            (
                path: entry.replacing("${ORIGIN}", with: origin).replacing("$ORIGIN", with: origin),
                isRelative: entry.contains("ORIGIN")
            )
        }
        for name in dynamic.needed where !name.contains("/") {
            guard let place = places.first(where: { unsafe access("\($0.path)/\(name)", F_OK) == 0 }),
                place.isRelative
            else { continue }
            do throws(ComponentFileError) {
                _ = try openFile(path: "\(place.path)/\(name)")
            } catch {
                throw ComponentFileError(code: error.code, message: "its library \(name): \(error.message)")
            }
        }
    }
}
