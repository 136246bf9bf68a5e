/// What lies in the directories of components, before it is decided what can be had.
struct CatalogSurvey: Sendable {
    /// Built-in ones first, then in the order of the directories and of the file names.
    var candidates: [Catalog.Candidate]
    let rejectedFiles: [Catalog.Rejection]
    let rejectedDirectories: [Catalog.Rejection]

    /// What can be had of it.
    func catalog(host: HostDeclaration) -> Catalog {
        Catalog(
            candidates, host: host, rejectedFiles: rejectedFiles, rejectedDirectories: rejectedDirectories)
    }

    /// The same with files that are known again although something was done to them that left their content alone.
    ///
    /// - Parameter files: of components; those that are in memory count.
    func recognizing(_ files: [ComponentFile]) -> CatalogSurvey {
        let known = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        var survey = self
        for index in candidates.indices {
            guard let found = candidates[index].file, let file = known[found.path],
                LoadedContents.isSame(file, found)
            else { continue }
            survey.candidates[index].file?.identity = file.identity
        }
        return survey
    }

    /// The same for a host in which some components run already, whatever lies in the place of their files by now.
    func keeping(_ running: [Catalog.Candidate]) -> CatalogSurvey {
        var survey = self
        for var candidate in running {
            candidate.isInMemory = true
            let name = candidate.manifest.name
            let same = survey.candidates.firstIndex { $0.manifest.name == name && $0.file == candidate.file }
            if let same {
                survey.candidates[same].isInMemory = true
            } else {
                let first = survey.candidates.firstIndex { $0.manifest.name == name }
                survey.candidates.insert(candidate, at: first ?? survey.candidates.endIndex)
            }
        }
        return survey
    }
}
