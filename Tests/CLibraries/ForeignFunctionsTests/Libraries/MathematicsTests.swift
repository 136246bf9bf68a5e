import ComponentHost
import ComponentKit
import Testing

@Suite("The C library's mathematics")
struct MathematicsTests {
    @Test("numbers are passed and returned, directly and through pointers")
    func values() async throws {
        try await withLibraries("libm") { host async throws in
            #expect(try await host.call("Mathematics", "cos", ["x": 0]) == 1.0)
            #expect(try await host.call("Mathematics", "fabsf", ["x": -0.1]).double() == Double(Float(0.1)))
            #expect(try await host.call("Mathematics", "frexp", ["x": 8.0]) == ["exp": 4, "return": 0.5])
            #expect(try await host.call("Mathematics", "sincos", ["x": 0.0]) == ["sin": 0.0, "cos": 1.0])
            // 29 = 3 * 9.667; the nearest whole number is 10.
            #expect(try await host.call("Mathematics", "remquo", ["x": 29.0, "y": 3.0]) == ["quo": 2, "return": -1.0])
            let gamma = try await host.call("Mathematics", "lgamma_r", ["x": -0.5])
            #expect(try gamma.int("signp") == -1)
            // ln(2 sqrt(pi)).
            #expect(abs(try gamma.double("return") - 1.265512123484645) < 1e-14)
            #expect(try await host.call("Mathematics", "powl", ["x": 2.0, "y": 62.0]) == 4611686018427387904.0)
            #expect(try await host.call("Mathematics", "ldexp", ["x": 0.75, "exp": 4]) == 12.0)
            #expect(try await host.call("Mathematics", "modf", ["x": -3.25]) == ["iptr": -3.0, "return": -0.25])
        }
    }

    @Test("quick functions are quick in the manifest, and out parameters are not listed")
    func manifest() async throws {
        try await withLibraries("libm") { host async throws in
            let entry = try #require(host.catalog.entry(ofClass: "Mathematics"))
            let declaration = try #require(entry.manifest.classes.first)
            #expect(declaration.selector("cos", .object)?.isQuick == true)
            #expect(declaration.selector("ldexp", .object)?.isQuick == false)
            #expect(declaration.selector("frexp", .object)?.parameters.map(\.name) == ["x"])
            #expect(declaration.selector("ldexp", .object)?.parameters.map(\.type) == ["Double", "Int32"])
            #expect(host.isAvailable("Mathematics", "powl"))
            #expect(!host.isLoaded("Mathematics"))
        }
    }
}
