import ComponentHost
import ComponentKit
import Testing

@Suite("The third part of an answer: classIsLoad")
struct ClassIsLoadTests {
    private static let sum: Payload = ["a": 1, "b": 2]

    @Test(
        "is false for a class that is unknown or has failed, and true for one that answers",
        arguments: CallForm.allCases)
    func outcomes(form: CallForm) async throws {
        try await withHost(["CGood", "CreateFails"]) { host, _ async throws in
            let unknown = await form.perform(host, "sum", Self.sum, className: "Missing", kind: .class)
            #expect(unknown.error?.code == .classNotFound)
            #expect(!unknown.classIsLoad)
            let failed = await form.perform(host, "run", className: "CreateFailsLink", kind: .class)
            #expect(failed.error?.code == .notLoaded)
            #expect(!failed.classIsLoad)
            let answered = await form.perform(host, "sum", Self.sum, className: "CGoodLink", kind: .class)
            #expect(answered.returnValue == 3)
            #expect(answered.classIsLoad)
            #expect(host.isLoaded("CGoodLink"))
        }
    }

    // The bound forms load the component before the call, so that their deadline cannot come first.
    @Test(
        "is true after a deadline, even if the component was never loaded",
        arguments: [CallForm.callback, .async, .blocking])
    func deadline(form: CallForm) async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            // It has passed when the host looks at it for the first time.
            let answer = await form.perform(
                host, "sum", Self.sum, className: "CGoodLink", kind: .class, timeout: .zero)
            #expect(answer.error?.code == .deadlineExceeded)
            #expect(answer.classIsLoad)
            #expect(!host.isLoaded("CGoodLink"))
        }
    }

    @Test("is the third argument of a callback", arguments: [("Missing", false), ("CGoodLink", true)])
    func part(className: String, isLoad: Bool) async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let parts = Collected<Bool>()
            host.call(className, "sum", Self.sum, kind: .class, timeout: .zero) { _, performSuccess, classIsLoad in
                #expect(!performSuccess)
                parts.add(classIsLoad)
            }
            #expect(await parts.first(1) == [isLoad])
        }
    }
}
