import ComponentKit
import PageKit

/// How the part of a page looks that calls methods.
enum CallView {
    /// The view if calls are not allowed.
    static func refused() -> Text { Text(Permission.calls.refusal, style: .caption) }

    /// The choice of a method, its form, and the last answer.
    static func call(_ state: CallState) -> some View {
        Stack {
            if state.methods.isEmpty {
                Placeholder("The component has no methods for callers.").key("empty")
            } else {
                choice(state).key("choice")
                if state.more > 0 {
                    Text("\(state.more.counted("more method")) cannot be chosen here.", style: .caption).key("more")
                }
            }
            // The answer is beside the form that it belongs to, so that both are seen together.
            Grid(columns: state.form != nil && state.record != nil ? 2 : 1) {
                if let form = state.form { self.form(form, of: state.component).key("form") }
                if let record = state.record { answer(record).key("answer") }
            }.key("call")
        }
    }

    private static func choice(_ state: CallState) -> Form {
        Form("Choose", .call("choose", ["component": .string(state.component)])) {
            Field(
                "method", "Method",
                .choice(state.methods.map { FieldChoice(value: $0.label, title: $0.label) }),
                value: state.form.map { .string($0.selector.label) } ?? .null
            ).required()
        }.submittedOnChange()
    }

    private static func form(_ form: CallForm, of component: String) -> Stack {
        let selector = form.selector
        let action = Action.call(
            "perform",
            [CallForm.targetKey: ["component": .string(component), "method": .string(selector.label)]])
        return Stack {
            Text("\(selector.className).\(selector.signature)".oneLine(1000), style: .code).key("signature")
            if !selector.summary.isEmpty { Text(selector.summary.printable(1000)).key("summary") }
            switch form.shape {
            case .fields(let fields):
                Form("Call", action) { for field in fields { field.view } }.key("fields")
            case .payload(let initial):
                Form("Call", action) {
                    Field(
                        CallForm.payloadKey, "Payload", .lines(longest: CallField.longestJSON),
                        value: initial.isEmpty ? .null : .string(initial)
                    )
                    .help("As JSON. The component does not say which parameters there are.")
                }.key("fields")
            case .unwritable(let parameter):
                Text("The parameter \(parameter.oneLine()) has a type that cannot be entered here.", style: .warning)
                    .key("fields")
            }
        }
    }

    private static func answer(_ record: CallRecord) -> Card {
        Card("Answer") {
            Table(["Method", "Called", TableColumn("Took", alignment: .trailing)]) {
                TableRow([
                    .code(record.method.oneLine()), .time(record.time),
                    TableCell(record.duration.map(\.durationText) ?? "…"),
                ]).key("call")
            }.key("call")
            switch record.outcome {
            case nil: Placeholder("The call is in flight.", isLoading: true).key("running")
            case .answered(let json):
                Text(json, style: .code).key("json")
            case .failed(let failure):
                Failure(
                    "\(failure.code.asWords.oneLine(60)): \(failure.message.printable(2000))"
                        + (failure.origin.isEmpty ? "" : " (\(failure.origin.oneLine()))"),
                    advice: failure.advice
                ).key("failure")
                if let details = failure.details { Text(details, style: .code).key("details") }
            }
        }
    }
}
