import Foundation

extension PluginDirectory {
    /// Compiles a library into the directory.
    ///
    /// - Parameters:
    ///   - name: The path of the library in the directory; missing folders are made.
    ///   - source: In C, or in C++ if the compiler is one for C++.
    ///   - compiler: The name of the compiler.
    ///   - options: Further options, such as libraries to link.
    /// - Throws: A ``FixtureError`` with the compiler's output.
    public func compile(
        _ name: String, from source: String, compiler: String = "clang", options: [String] = []
    ) async throws {
        let folder = URL(filePath: file(name)).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let text = "\(file(name)).\(compiler.hasSuffix("++") ? "cpp" : "c")"
        try Data(source.utf8).write(to: URL(filePath: text))
        let headers = BuiltProducts.packageDirectory.appending(path: "Sources/Boundary/CHSLink/include").path
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            [compiler, "-shared", "-fPIC", "-I", headers, "-o", file(name), text] + options)
        guard run.status == 0 else { throw FixtureError(description: run.standardError) }
        try FileManager.default.removeItem(atPath: text)
        try setMode(0o755, of: file(name))
    }

    /// Compiles a component `NAME` with the class `NAMELink`, whose class method `value` returns what the function
    /// `int value(void)` returns.
    ///
    /// - Parameters:
    ///   - name: The name of the component; its file is `libNAME.so`.
    ///   - code: Declares or defines the function.
    ///   - folder: The folder of the file in the directory.
    ///   - compiler: The name of the compiler.
    ///   - options: Further options, such as libraries to link.
    public func compileComponent(
        _ name: String, code: String, in folder: String = "", compiler: String = "clang", options: [String] = []
    ) async throws {
        let manifest = """
            {\\"name\\": \\"\(name)\\", \\"version\\": \\"1.0.0\\", \\"classes\\": [{\\"name\\": \\"\(name)Link\\", \
            \\"selectors\\": [{\\"name\\": \\"value\\", \\"kind\\": \\"class\\"}]}]}
            """
        let source = """
            #include "hslink.h"
            HSLINK_MANIFEST("\(manifest)")
            \(code)
            static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
                (void)context; (void)self; (void)payload;
                return hslink_return(call, hslink_int(value()));
            }
            static const hslink_method methods[] = {{HSLINK_LITERAL("value"), HSLINK_CLASS_METHOD, 0, run, NULL}};
            static const hslink_class link_class = HSLINK_CLASS("\(name)Link", methods, NULL, NULL);
            static const hslink_class *const classes[] = {&link_class};
            static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("\(name)", "1.0.0", classes, NULL, NULL);
            HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
            """
        try await compile(
            (folder.isEmpty ? "" : "\(folder)/") + "lib\(name).so", from: source, compiler: compiler, options: options)
    }
}
