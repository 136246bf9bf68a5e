import ComponentHost
import ComponentKit
import Testing

@Suite("Requests that nothing answers")
struct NotFoundTests {
    /// A class whose methods return their request, with the name of the class in the place of `target`.
    private func receiver(_ name: String, _ selector: String, kind: SelectorKind = .object) -> ProvidedClass {
        let method: LinkMethod<Bare> =
            kind == .object
            ? .method(selector) { _, payload in ["by": .string(name), "request": try payload.copy()] as Payload }
            : .classMethod(selector) { payload in ["by": .string(name), "request": try payload.copy()] as Payload }
        return ProvidedClass(name: name, methods: [method]) { Bare($0) }
    }

    private func request(_ target: String, _ action: String) -> Payload {
        ["target": .string(target), "action": .string(action), "params": ["n": 1]]
    }

    @Test("go to the target's own notFound", arguments: TargetForm.allCases)
    func own(form: TargetForm) async throws {
        var options = HostOptions.quiet
        options.notFound = { _ in "of the host" }
        let host = hostProviding(
            [
                receiver("AppLink", "notFound"), receiver("Target_Old", "Action_notFound:"),
                receiver("PlainLink", "notFound", kind: .class), providing("BareLink", object: ["run"]),
            ], options: options)
        for (target, className) in [("App", "AppLink"), ("Old", "Target_Old"), ("Plain", "PlainLink")] {
            let answer = await form.perform(host, target, "missing", ["n": 1])
            #expect(answer.value == ["by": .string(className), "request": request(target, "missing")])
        }
        #expect(await form.perform(host, "Bare", "missing", ["n": 1]).value == "of the host")
        #expect(await form.perform(host, "Bare", "run", ["n": 1]).value == "BareLink.run")
    }

    @Test("else to the handler of the host, with the original request", arguments: TargetForm.allCases)
    func handler(form: TargetForm) async throws {
        var options = HostOptions.quiet
        options.notFound = { request in
            guard request.action != "refuse" else { throw LinkError(domain: "app", number: 7, message: "no") }
            await Task.yield()
            return ["target": .string(request.target), "action": .string(request.action), "params": request.params]
        }
        // The handler comes before a class with the same name.
        let host = hostProviding(
            [providing("BareLink", object: ["run"]), receiver("NoTargetActionLink", "response")], options: options)
        for (target, action) in [("Missing", "run"), ("Bare", "missing"), ("NoTargetAction", "missing")] {
            #expect(await form.perform(host, target, action, ["n": 1]).value == request(target, action))
            #expect(!host.check(target: target, action: action))
        }
        let refused = await form.perform(host, "Missing", "refuse")
        #expect(!refused.performSuccess)
        #expect(refused.classIsLoad)
        if let error = refused.error { #expect(error.domain == "app" && error.number == 7) }
        await host.stop()
        #expect(await form.perform(host, "Missing", "run").value == nil)
    }

    @Test(
        "else to the class NoTargetAction, of the program or of a component",
        arguments: ["NoTargetActionLink", "NoTargetAction", "Target_NoTargetAction"])
    func className(name: String) async throws {
        let selector = name.hasPrefix("Target_") ? "Action_response:" : "response"
        let host = hostProviding([receiver(name, selector), providing("BareLink", object: ["run"])])
        for target in ["Missing", "Bare"] {
            let answer = await TargetForm.answer.perform(host, target, "missing", ["n": 1])
            #expect(answer.value == ["by": .string(name), "request": request(target, "missing")])
        }
    }

    @Test("of a component go the same way", arguments: Depth.allCases)
    func component(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.notFound = { request in .string("\(request.target).\(request.action)") }
        let host = try depth.host(options: options)
        for (target, action, value) in [
            ("Missing", "run", "Missing.run" as Payload), ("Fixture", "missing", "Fixture.missing"),
            ("Shelf", "sell", ["target": "Shelf", "action": "sell", "params": nil]),
        ] {
            let request: Payload = ["target": .string(target), "action": .string(action)]
            for form in ["parts", "awaited", "waited"] {
                let answer = try await onThread { try host.callAndWait("PerformerLink", form, request) }
                #expect(answer["value"] == value)
            }
        }
        await host.stop()
    }
}
