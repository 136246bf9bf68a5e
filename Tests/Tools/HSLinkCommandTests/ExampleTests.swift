import Foundation
import TestSupport
import Testing

/// Compiles the C examples with the commands on the pages, and checks that they behave as shown.
@Suite("The examples of the documentation")
struct ExampleTests {
    private static let examples = BuiltProducts.packageDirectory.appending(path: "Tests/Examples")

    private func compile(_ source: String, to file: String) async throws {
        let headers = BuiltProducts.packageDirectory.appending(path: "Sources/Boundary/CHSLink/include").path
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            [
                "clang", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
                "-fvisibility=hidden", "-I", headers, "-o", file, Self.examples.appending(path: source).path,
            ])
        try #require(run.status == 0, "\(run)")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    }

    @Test("the component in C answers in every form")
    func thermometer() async throws {
        try await withPlugins { plugins in
            try await compile("Thermometer/thermometer.c", to: plugins.file("libThermometer.so"))
            let call = ["call", "ThermometerLink"]
            let options = ["--class-method", "--plugins", plugins.path]
            #expect(try await hslink(call + ["celsius", "fahrenheit=212"] + options) == printed("100.0"))
            #expect(try await hslink(call + ["wait", "milliseconds=1"] + options) == printed("20.5"))
            #expect(try await hslink(call + ["measureOnce"] + options) == printed("20.500000000000004"))
            #expect(
                try await hslink(call + ["celsius"] + options)
                    == failed(
                        "Error: celsius of ThermometerLink in Thermometer: fahrenheit: expected Double, found nothing"))
            #expect(
                try await hslink(call + ["wait", "milliseconds=60000", "--deadline", "0.2"] + options)
                    == failed(
                        "Error: wait of ThermometerLink in Thermometer: the deadline passed before the reply"))
            let sensor = try PrintedAnswer(try await hslink(call + ["openSensor", "--json"] + options))
            #expect(sensor.performSuccess && sensor.error?.code == "notPrintable")
        }
    }
}
