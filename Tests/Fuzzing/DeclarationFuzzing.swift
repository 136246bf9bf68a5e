/// The function that libFuzzer calls with each input. scripts/fuzz compiles it with the sources of CDeclarations into
/// one module.
@c(LLVMFuzzerTestOneInput)
public func fuzzDeclarations(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    // The first byte selects the mode, so that texts of several sources are tried too.
    let half = bytes.first.map { Int($0) % (bytes.count + 1) } ?? 0
    let sources =
        half % 2 == 0
        ? [CSource(name: "f", bytes: bytes)]
        : [CSource(name: "a", bytes: Array(bytes[..<half])), CSource(name: "b", bytes: Array(bytes[half...]))]
    let declarations = CDeclarations(parsing: sources, target: half % 3 == 0 ? .arm64 : .amd64)
    // Write everything that was read, and compute every size.
    var written = 0
    for function in declarations.functions {
        written += function.description.utf8.count
        for parameter in function.type.parameters { _ = try? declarations.layout(of: parameter.type) }
    }
    for (_, definition) in declarations.records {
        guard let definition, case .success(let layout) = definition.layout else { continue }
        precondition(layout.size % layout.alignment == 0 && definition.fields.allSatisfy { $0.offset <= layout.size })
    }
    for diagnostic in declarations.diagnostics { written += diagnostic.description.utf8.count }
    return written < 0 ? 1 : 0
}
