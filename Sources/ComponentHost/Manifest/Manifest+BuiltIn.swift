extension Manifest {
    /// The manifests of the components that are linked into an image in memory, in the order of the image.
    ///
    /// - Parameter address: of a function of that image, as of the component's entry.
    /// - Returns: none when the image holds no component.
    /// - Throws: `malformed` or `invalidManifest`. The image was linked by the application's author, so one
    ///   that is broken fails all.
    package static func builtIn(around address: UnsafeRawPointer) throws(ComponentFileError) -> [Manifest] {
        var notes = ManifestNotes()
        try unsafe ImageNotes.forEachNote(around: address) { (note) throws(ComponentFileError) in
            try unsafe notes.add(note)
        }
        return notes.manifests
    }
}
