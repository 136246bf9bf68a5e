import Foundation
import TestSupport
import Testing

@Suite("hslink import --package")
struct ImportPackageTests {
    /// The written description.
    private struct Description: Decodable {
        let name: String
        let version: String
        let library: [String]
        let `class`: String
        let declarations: [String]
    }

    private static func isThere(_ header: String) -> Bool {
        FileManager.default.fileExists(atPath: "/usr/include/\(header)")
    }

    private static func description(_ run: ProgramRun) throws -> Description {
        try JSONDecoder().decode(Description.self, from: Data(run.standardOutput.utf8))
    }

    /// A package with headers, a library and a file for pkg-config, in a directory.
    private struct Package {
        let directory: TemporaryDirectory
        var path: String { directory.path }

        init(headers: [String], cflags: String, libs: String = "-L${prefix} -lshapes") async throws {
            directory = try TemporaryDirectory()
            try directory.makeDirectory("include")
            try directory.makeDirectory("include/sub")
            for header in headers {
                try directory.write("#ifdef WANTED\nint area(int side);\n#endif\n", to: "include/\(header)")
            }
            try directory.write(
                """
                prefix=\(directory.path)
                Name: shapes
                Description: test
                Version: 2.05
                Libs: \(libs)
                Cflags: \(cflags)

                """, to: "shapes-2.0.pc")
            let source = try directory.write("int area(int side) { return side * side; }\n", to: "a.c")
            let compiled = try await ProgramRun.of(
                URL(filePath: "/usr/bin/env"),
                [
                    "clang", "-shared", "-fPIC", "-Wl,-soname,libshapes.so.3", "-o", directory.path(of: "libshapes.so"),
                    source,
                ])
            #expect(compiled.status == 0, "\(compiled.standardError)")
        }

        func imported(_ arguments: String...) async throws -> ProgramRun {
            try await hslink(["import"] + arguments, environment: ["PKG_CONFIG_PATH": path])
        }
    }

    @Test("everything that a package says is used", .enabled("zlib.h is not installed") { isThere("zlib.h") })
    func zlib() async throws {
        let run = try await hslink("import", "--package", "zlib", "--only", "crc32")
        #expect(run.status == 0, "\(run.standardError)")
        let description = try ImportPackageTests.description(run)
        #expect(description.name == "zlib" && description.class == "Zlib" && description.library == ["libz.so.1"])
        #expect(description.declarations.last == "uLong crc32(uLong crc, const Bytef *buf, uInt len);")
    }

    @Test(
        "headers in the package's own directory are found by their names",
        .enabled("libxml2 is not installed (libxml2-dev)") { isThere("libxml2/libxml/parser.h") })
    func xml() async throws {
        let run = try await hslink(
            "import", "libxml/parser.h", "--package", "libxml-2.0", "--only", "xmlReadMemory", "--only",
            "XML_PARSE_NOENT"
        )
        #expect(run.status == 0, "\(run.standardError)")
        let description = try ImportPackageTests.description(run)
        #expect(description.name == "libxml" && description.class == "Libxml")
        #expect(description.library == ["libxml2.so.2"])
        #expect(description.version.hasPrefix("2."))
        let unclear = try await hslink("import", "--package", "libxml-2.0")
        #expect(unclear.status == 1 && unclear.standardOutput == "")
        #expect(
            unclear.standardError.hasPrefix(
                "Error: it is not clear which headers of libxml-2.0 to read; name them before --package, as in "
                    + "'hslink import libxml/"), "\(unclear.standardError)")
        #expect(unclear.standardError.contains("  libxml/SAX2.h\n"), "\(unclear.standardError)")
    }

    @Test(
        "the only header, or the one with the package's name, is read with the package's options",
        arguments: [["shapes.h", "other.h"], ["sub/only.h"], ["shapes-2.0.h", "z.h"]])
    func found(headers: [String]) async throws {
        let package = try await Package(headers: headers, cflags: "-I${prefix}/include -DWANTED=1 -DUNUSED='a b'")
        let run = try await package.imported("--package", "shapes-2.0")
        #expect(run.status == 0, "\(run.standardError)")
        let description = try ImportPackageTests.description(run)
        #expect(description.name == "shapes" && description.class == "Shapes" && description.version == "2.5.0")
        #expect(description.library == ["libshapes.so.3"])
        #expect(description.declarations.last == "int area(int side);")
    }

    @Test("a name of one's own gives the class its name")
    func named() async throws {
        let package = try await Package(headers: ["shapes.h"], cflags: "-I${prefix}/include -DWANTED")
        let run = try await package.imported("--package", "shapes-2.0", "--name", "my-shapes.2")
        let description = try ImportPackageTests.description(run)
        #expect(description.name == "my-shapes.2" && description.class == "MyShapes2")
        let wrong = try await package.imported("--package", "shapes-2.0", "--name", "2 shapes")
        #expect(wrong.status == 64)
        #expect(wrong.standardError.contains("expected a letter A-Z or a-z, then"), "\(wrong.standardError)")
    }

    @Test("the header, the library and further options may be given as well")
    func given() async throws {
        let package = try await Package(headers: ["a.h", "b.h"], cflags: "-I${prefix}/include", libs: "-lm")
        let run = try await package.imported(
            "b.h", "--package", "shapes-2.0", "--library", package.directory.path(of: "libshapes.so"), "--define",
            "WANTED")
        #expect(run.status == 0, "\(run.standardError)")
        #expect(try ImportPackageTests.description(run).library == [package.directory.path(of: "libshapes.so")])
    }

    @Test(
        "of the libraries of a package, the one with the functions is taken",
        arguments: ["-lm -lshapes", "-lshapes -lm"])
    func several(libraries: String) async throws {
        let package = try await Package(
            headers: ["shapes.h"], cflags: "-I${prefix}/include -DWANTED", libs: "-L${prefix} \(libraries) -lnobody")
        let run = try await package.imported("--package", "shapes-2.0")
        #expect(run.status == 0, "\(run.standardError)")
        #expect(try ImportPackageTests.description(run).library == ["libshapes.so.3"])
        #expect(run.standardError == "shapes 2.5.0 (libshapes.so.3): 1 function, 0 constants\n")
    }

    @Test("what is missing is said in plain words")
    func missing() async throws {
        let nobody = try await hslink("import", "--package", "nobody-has-this")
        #expect(
            nobody
                == failed(
                    "Error: pkg-config knows no package 'nobody-has-this': install its development package, or add the "
                        + "directory of nobody-has-this.pc to the variable PKG_CONFIG_PATH"))
        let similar = try await Package(headers: ["a.h"], cflags: "").imported("--package", "libshapes")
        #expect(similar.status == 1)
        #expect(similar.standardError.contains("no package 'libshapes'; did you mean 'shapes-2.0'?"))
        let program = try await ProgramRun.of(
            BuiltProducts.hslink, ["import", "--package", "zlib"], environment: ["PATH": "/nonexistent"])
        #expect(
            program
                == failed(
                    "Error: pkg-config is needed for --package, but it is not in PATH: install the Debian package "
                        + "pkgconf, or name the header and the library"))
        let broken = try await Package(headers: ["a.h"], cflags: "", libs: "-L${prefix}")
        let noLibrary = try await broken.imported("a.h", "--package", "shapes-2.0")
        #expect(
            noLibrary
                == failed("Error: the package shapes-2.0 has no library; name it with --library"))
        try broken.directory.write(
            "Name: x\nDescription: x\nVersion: 1\nRequires: nobody-has-this\n", to: "shapes-2.0.pc")
        let required = try await broken.imported("--package", "shapes-2.0")
        #expect(required.status == 1)
        #expect(required.standardError.hasPrefix("Error: pkg-config cannot use the package shapes-2.0: "))
        let elsewhere = try await Package(headers: [], cflags: "")
        let headers = try await elsewhere.imported("--package", "shapes-2.0")
        #expect(
            headers
                == failed(
                    "Error: no header of shapes-2.0 was found (there is no shapes-2.0.h, shapes.h); name it before "
                        + "--package, as in 'hslink import HEADER.h --package shapes-2.0'"))
        #expect(try await hslink("import", "--only", "x").status == 64)
        #expect(try await hslink("import", "zlib.h").status == 64)
    }

    @Test("a library given by a relative path stays next to the description")
    func relative() async throws {
        let package = try await Package(headers: ["shapes.h"], cflags: "")
        try package.directory.makeDirectory("plugins")
        let header = package.directory.path(of: "include/shapes.h")
        let below = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            [
                "-C", package.path, BuiltProducts.hslink.path, "import", header, "--library", "./libshapes.so",
                "--define", "WANTED",
            ])
        #expect(try ImportPackageTests.description(below).library == ["./libshapes.so"])
        #expect(
            below.standardError == "shapes 2.5.0 (./libshapes.so): 1 function, 0 constants\n"
                || below.standardError == "shapes 0.0.0 (./libshapes.so): 1 function, 0 constants\n",
            "\(below.standardError)")
        let other = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            [
                "-C", package.path, BuiltProducts.hslink.path, "import", header, "--library", "./libshapes.so",
                "--define", "WANTED", "--output", "plugins/shapes.hslink.json",
            ])
        #expect(other.status == 0, "\(other.standardError)")
        #expect(
            other.standardError.contains(
                "./libshapes.so: hosts look for it next to the description, in plugins; put it there\n"),
            "\(other.standardError)")
        let written = try Data(contentsOf: URL(filePath: package.directory.path(of: "plugins/shapes.hslink.json")))
        #expect(try JSONDecoder().decode(Description.self, from: written).library == ["./libshapes.so"])
    }
}
