extension Manifest {
    /// The manifests of the components that are linked into an image in memory, in the order of the image, and the
    /// services and models of the whole image.
    ///
    /// - Parameter address: of anything of that image, as of the component's entry.
    /// - Returns: no manifests when the image holds no component.
    /// - Throws: `malformed` or `invalidManifest`. The image was linked by the application's author, so one
    ///   that is broken fails all.
    package static func builtIn(
        around address: UnsafeRawPointer
    ) throws(ComponentFileError) -> (manifests: [Manifest], contract: Contract) {
        var notes = ManifestNotes()
        try unsafe LoadedImageNotes.forEachNote(around: address) { (note) throws(ComponentFileError) in
            try unsafe notes.add(note)
        }
        return (try notes.manifests(), try notes.serviceNotes().contract)
    }
}
