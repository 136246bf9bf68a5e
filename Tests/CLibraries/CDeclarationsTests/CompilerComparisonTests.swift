import CDeclarations
import TestSupport
import Testing

/// Compares values and types with those of a compiler.
struct CompilerComparisonTests {
    @Test("constant expressions have the values and types that clang reports", arguments: CTarget.allCases)
    func expressions(target: CTarget) async throws {
        var generator = ExpressionGenerator(seed: 11)
        var source = ""
        var known = 0
        for index in 0..<3000 {
            let text = generator.expression()
            let declarations = CDeclarations(
                parsing: "#define A \(text)\n#define B sizeof(\(text))\n", name: "d", target: target)
            guard let value = declarations.constants.first?.value else { continue }
            known += 1
            let literal = value < 0 ? "(-\(-(value + 1))LL - 1)" : "\(value)ULL"
            let compared = value < 0 ? "(long long)(\(text))" : "(unsigned long long)(\(text))"
            source += "_Static_assert(\(compared) == \(literal), \"\(index)\");\n"
            source += "_Static_assert(((\(text)) < 0) == \(value < 0 ? 1 : 0), \"sign \(index)\");\n"
            if declarations.constants.count == 2 {
                source += "_Static_assert(sizeof(\(text)) == \(declarations.constants[1].value), \"size \(index)\");\n"
            }
        }
        #expect(known > 1500)
        let run = try await CompilerRun.check(source, for: target)
        #expect(run.status == 0, "\(run.standardError.prefix(3000))")
    }

    @Test("a declaration that is printed and parsed again has the same type")
    func declarators() async throws {
        var generator = ExpressionGenerator(seed: 12)
        var source = "typedef __SIZE_TYPE__ size_t; struct tag { int a; };\n"
        var known = 0
        for index in 0..<2000 {
            let text = generator.declaration(of: "x\(index)")
            let declarations = CDeclarations(parsing: "struct tag { int a; }; \(text);", name: "d")
            guard declarations.diagnostics.isEmpty else {
                // Only expressions that C refuses too.
                let run = try await CompilerRun.check(source.prefix(60) + "extern \(text);", for: .current)
                #expect(run.status != 0, "\(text): \(declarations.diagnostics[0])")
                continue
            }
            known += 1
            let written =
                declarations.functions.first?.description
                ?? declarations.variables.first.map { $0.type.declaration(of: $0.name) } ?? ""
            source += "extern \(text); extern \(written);\n"
        }
        #expect(known > 1500)
        let run = try await CompilerRun.check(source, for: .current)
        #expect(run.status == 0, "\(run.standardError.prefix(3000))")
    }
}
