import Glibc

extension TrustChecker {
    /// What a path leads to.
    enum Destination {
        /// A directory, by its path without links.
        case directory(String)
        /// Something else, by its path without links.
        case file(String)
        /// Nothing, and nobody else can put something there.
        case nothing
    }

    /// Follows a path that the dynamic loader will follow by itself: not only what it leads to has to be safe from
    /// others, but each directory and link on the way.
    ///
    /// - Parameter path: absolute.
    /// - Returns: where it leads; a directory has been checked, too, a file has not.
    /// - Throws: what the policy refuses on the way.
    mutating func follow(_ path: String) throws(ComponentFileError) -> Destination {
        var walk = PathWalk(path)
        while let name = walk.next() {
            try checkAncestor(walk.location)
            let next = walk.path(of: name)
            var status = stat()
            if unsafe lstat(next, &status) != 0 {
                let error = errno
                // The loader may not look there either; only the owner of the directory could change that.
                if error == EACCES { return .nothing }
                guard error == ENOENT else { throw .system(error, while: "look at \(next) for") }
                try checkMissing(in: walk.location)
                return .nothing
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: walk.enter(name)
            case S_IFLNK:
                if let problem = rules.problem(with: status, at: next, .link) { throw problem }
                guard walk.follow(name) else { return .nothing }
            default: return walk.isAtEnd ? .file(next) : .nothing
            }
        }
        try checkDirectory(walk.location)
        return .directory(walk.location)
    }

    /// A directory that libraries are taken from.
    private mutating func checkDirectory(_ path: String) throws(ComponentFileError) {
        if let problem = rules.problem(with: try status(of: path), at: path, .directory) { throw problem }
    }

    /// A path that leads to nothing must not be there for others to make.
    private mutating func checkMissing(in directory: String) throws(ComponentFileError) {
        guard let problem = rules.problem(with: try status(of: directory), at: directory, .directory) else { return }
        throw ComponentFileError(
            code: problem.code, message: "it does not exist, and others could make it: \(problem.message)")
    }
}
