// The places of dependencies in Package.swift and of entries in .layers.json. Both are found by their texts: a manifest
// is code, so a name may be computed and have no place at all.

extension SourceTokens {
    /// Returns the position at which a manifest states a dependency of a target: the text nearest after one with the
    /// name of the target, else the first with the name of the dependency, else the first with the name of the target,
    /// else the beginning.
    func position(ofDependency name: String, in target: String) -> SourcePosition {
        let start = SourcePosition(line: 1, column: 1)
        guard let pair = nearest(name, after: target) else {
            return (first(name) ?? first(target)).map(position(of:)) ?? start
        }
        return position(of: pair)
    }

    /// Returns the text `name` that has the fewest tokens between itself and a text `other` before it.
    fileprivate func nearest(_ name: String, after other: String) -> SourceToken? {
        var last: Int?
        var best: (distance: Int, token: SourceToken)?
        for (index, token) in tokens.enumerated() where token.kind == .text {
            if let last, isText(token, name), index - last < best?.distance ?? .max { best = (index - last, token) }
            if isText(token, other) { last = index }
        }
        return best?.token
    }

    fileprivate func first(_ name: String) -> SourceToken? { tokens.first { isText($0, name) } }

    private func isText(_ token: SourceToken, _ text: String) -> Bool {
        token.kind == .text && bytes[token.content].elementsEqual(text.utf8)
    }
}

extension LayersStatement {
    /// The places of the entries in "layers".
    var layerPlaces: [String: SourcePlace] {
        let tokens = SourceTokens(bytes)
        return Dictionary(
            uniqueKeysWithValues: layers.keys.map { name in
                let token = tokens.nearest(name, after: "layers") ?? tokens.first(name)
                let position = token.map(tokens.position(of:)) ?? SourcePosition(line: 1, column: 1)
                return (name, SourcePlace(path: path, position: position))
            })
    }

    func position(of exception: Exception) -> SourcePosition {
        let tokens = SourceTokens(bytes)
        let found = tokens.nearest(exception.uses, after: exception.target) ?? tokens.first(exception.target)
        return found.map(tokens.position(of:)) ?? SourcePosition(line: 1, column: 1)
    }
}
