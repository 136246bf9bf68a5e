import CDeclarations
import Testing

/// Tests how types are written.
struct CTypeTextTests {
    @Test("a type is written in C syntax")
    func text() {
        let compare = CFunctionType(
            result: .scalar(.int),
            parameters: [
                CParameter(name: "a", type: .pointer(to: CType(.void, qualifiers: .const))),
                CParameter(name: nil, type: CType(.scalar(.unsignedChar), alias: "uint8_t")),
            ])
        #expect(CType(.function(compare)).declaration(of: "f") == "int f(const void *a, uint8_t)")
        let pointer = CType.pointer(to: CType(.function(compare)))
        #expect(pointer.description == "int (*)(const void *a, uint8_t)")
        #expect(CType(.array(pointer, length: 3)).declaration(of: "all") == "int (*all[3])(const void *a, uint8_t)")
        #expect(CType.pointer(to: CType(.array(.scalar(.char), length: 4))).description == "char (*)[4]")
    }
}
