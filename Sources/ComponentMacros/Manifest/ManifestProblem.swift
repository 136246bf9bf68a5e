/// Something that a manifest may not say, and the byte of its text at which it stands.
struct ManifestProblem: Error, Equatable {
    let message: String
    let offset: Int
}
