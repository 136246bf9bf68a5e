import CDeclarations
import SystemSupport

/// Compares the computed layouts of records with clang's layouts.
enum LayoutCheck {
    /// Returns the names of the records whose layouts differ.
    ///
    /// - Parameters:
    ///   - declarations: The parsed declarations, with computed layouts.
    ///   - clang: The compiler, set up for the same headers.
    /// - Throws: `ImportError` if clang can't be run.
    static func differences(of declarations: CDeclarations, _ clang: Clang) throws(ImportError) -> [String] {
        var names: [String] = []
        var source = "#include <stddef.h>\n"
        for (record, definition) in declarations.records {
            // An unnamed record is part of a named one, which is checked.
            guard let definition, let layout = try? definition.layout.get(), !record.isUnnamed else { continue }
            let mark = "\"hslink:\(names.count):\""
            names.append(record.name)
            source += "_Static_assert(sizeof(\(record.name)) == \(layout.size), \(mark));\n"
            source += "_Static_assert(_Alignof(\(record.name)) == \(layout.alignment), \(mark));\n"
            for field in definition.namedFields {
                // C has no offset of a bit-field.
                guard let name = field.name, field.bits == nil else { continue }
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
