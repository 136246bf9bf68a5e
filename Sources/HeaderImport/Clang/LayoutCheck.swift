import CDeclarations

/// Compares the layout of structs with what clang says of the header itself.
enum LayoutCheck {
    /// - Parameters:
    ///   - declarations: what was written.
    ///   - clang: for the same headers.
    /// - Returns: the names of those that are laid out in another way.
    static func differences(of declarations: CDeclarations, _ clang: Clang) throws(ImportError) -> [String] {
        var names: [String] = []
        var source = "#include <stddef.h>\n"
        for (record, definition) in declarations.records {
            // One without a name is a part of another.
            guard let definition, let layout = try? definition.layout.get(), !record.name.hasPrefix("unnamed ") else {
                continue
            }
            let mark = "\"hslink:\(names.count):\""
            names.append(record.name)
            source += "_Static_assert(sizeof(\(record.name)) == \(layout.size), \(mark));\n"
            source += "_Static_assert(_Alignof(\(record.name)) == \(layout.alignment), \(mark));\n"
            for field in definition.namedFields {
                guard let name = field.name else { continue }
                source += "_Static_assert(offsetof(\(record.name), \(name)) == \(field.offset), \(mark));\n"
            }
        }
        guard !names.isEmpty else { return [] }
        let run = try clang.run(["-fsyntax-only", "-ferror-limit=0"], after: source)
        var different: Set<Int> = []
        for piece in run.standardError.split(separator: "hslink:").dropFirst() {
            if let number = Int(piece.prefix { $0.isNumber }) { different.insert(number) }
        }
        return different.sorted().filter { names.indices.contains($0) }.map { names[$0] }
    }
}
