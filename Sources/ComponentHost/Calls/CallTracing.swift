import CHSLink
import ComponentKit
import Tracing

/// A span for each call, where the application has bootstrapped swift-distributed-tracing before it made its host.
///
/// A span has the name `Class.selector` (of an object its class, of a closure `closure`) and the attributes `hslink.class`,
/// `hslink.selector`, `hslink.component` where that is known, `hslink.caller` and `hslink.outcome` (`done`, or the code of the error). What the tracer injects travels with the call, so that
/// the spans of calls that the method makes are children of it.
struct CallTracing: Sendable {
    private let tracer: any Tracer

    /// - Returns: nil where nobody traces.
    init?() {
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return nil }
        self.tracer = tracer
    }

    /// Makes a call in a span.
    ///
    /// - Parameters:
    ///   - component: that it goes to; empty where that is not known.
    ///   - caller: the component that calls; empty for the host's own code.
    ///   - carried: what it carries along already.
    ///   - call: makes the call with what it is to carry along.
    func trace(
        _ className: String, _ selector: String, component: String, caller: String, _ carried: Payload?,
        _ call: (Payload?) -> BegunCall
    ) -> BegunCall {
        var texts = carried.map(Carried.init(known:))?.texts ?? [:]
        var context = ServiceContext.current ?? .topLevel
        if !caller.isEmpty { tracer.extract(texts, into: &context, using: Texts()) }
        // A closure has no selector.
        let name = selector.isEmpty ? className : "\(className).\(selector)"
        let span = tracer.startAnySpan(name, context: context, ofKind: .internal)
        span.attributes["hslink.class"] = className
        span.attributes["hslink.selector"] = selector
        if !component.isEmpty { span.attributes["hslink.component"] = component }
        span.attributes["hslink.caller"] = caller.isEmpty ? "host" : caller
        tracer.inject(span.context, into: &texts, using: Texts())
        // What is too much with the tracer's texts goes on without them.
        let injected = Carried(texts)
        switch call(injected.fits ? injected.payload : carried) {
        case .ended(let outcome):
            end(span, outcome)
            return .ended(outcome)
        case .runs(let whenDone):
            return .runs { completion in
                whenDone(completion.after { end(span, $0) })
            }
        }
    }

    private func end(_ span: any Span, _ outcome: Result<Payload, LinkError>) {
        switch outcome {
        case .success: span.attributes["hslink.outcome"] = "done"
        case .failure(let error):
            span.attributes["hslink.outcome"] = error.code.description
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error, message: error.message))
        }
        span.end()
    }

    private struct Texts: Injector, Extractor {
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
        func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
    }
}
