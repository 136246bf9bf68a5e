/// All the problems of one manifest, in the order of its text.
struct ManifestProblems: Error {
    let list: [ManifestProblem]
}
