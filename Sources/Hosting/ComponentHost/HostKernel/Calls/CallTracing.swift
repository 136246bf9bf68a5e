import CHSLink
import ComponentKit
import Tracing

/// Makes a span for each call if the application bootstrapped swift-distributed-tracing before it made its host.
///
/// A span is named `Class.selector`, with the object's class for a call to an object. The span of a closure is named
/// `closure`. Its attributes are `hslink.class`, `hslink.selector`, `hslink.component` if the component is known,
/// `hslink.caller` and `hslink.outcome` (`done`, or the code of the error). The strings that the tracer injects travel
/// with the call, so the spans of calls that the method makes are children of this span.
struct CallTracing: Sendable {
    private let tracer: any Tracer

    /// - Returns: Nil if the application does not use tracing.
    init?() {
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return nil }
        self.tracer = tracer
    }

    /// Makes a call in a span.
    ///
    /// - Parameters:
    ///   - component: the component that is called; empty if it is unknown.
    ///   - caller: the calling component; empty for the host's own code.
    ///   - carried: the strings that the call already carries.
    ///   - threads: where the tracer runs if the thread that ends the call serves all components.
    ///   - call: makes the call with the strings passed to it.
    func trace(
        _ className: String, _ selector: String, component: String, caller: String, carrying carried: Payload?,
        threads: WorkerPool, making call: (Payload?) -> BegunCall
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
        // If the tracer's strings exceed the limits, the call is made without them.
        let injected = Carried(texts)
        switch call(injected.fits ? injected.payload : carried) {
        case .ended(let outcome):
            end(span, outcome)
            return .ended(outcome)
        case .runs(let whenDone):
            return .runs { completion in
                guard case .wakes(let wake) = completion else { return whenDone(completion.after { end(span, $0) }) }
                let context = CallerContext.current
                return whenDone(
                    .wakes { outcome in
                        let end = { @Sendable in self.end(span, outcome) }
                        guard unsafe ThreadContext.current.state.pointee.servesAll else {
                            context.run(end)
                            return wake(outcome)
                        }
                        // A waiting caller must not wait for the tracer, which may block.
                        wake(outcome)
                        threads.submit { context.run(end) }
                    })
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
