import SwiftSyntax

/// The source of one row of a method table. Its variables begin with underscores so that they do not shadow names that
/// an author's default value uses.
///
/// Each row is a separate statement and spells out the types of its closure, because the compiler takes a long time to
/// infer the types in an array literal with fifty closures.
struct MethodRow {
    let function: FunctionShape
    /// The name of the type that declares the method.
    let target: String
    /// The property of the target that has the method; nil for the target itself.
    var member: String?
    let lines: AuthorLines

    /// Whether the method runs in a `Task`.
    private var isAsync: Bool { function.isAsync || function.isMainActor || function.hops }

    /// The statement that appends the row to `_rows`.
    var source: String {
        let name = function.selector.swiftLiteral
        let target = function.isClassMethod ? "" : "_target: \(self.target), "
        let method: String
        let parameters: String
        if isAsync {
            method = function.isMainActor ? "mainActor" : "async"
            parameters = "_payload: ComponentKit.Payload, _call: ComponentKit.AsyncCallContext) async throws"
        } else {
            method = ""
            parameters =
                "_payload: borrowing ComponentKit.PayloadView, _call: borrowing ComponentKit.CallContext) throws"
        }
        let form =
            method.isEmpty
            ? (function.isClassMethod ? "classMethod" : "method")
            : method + (function.isClassMethod ? "ClassMethod" : "Method")
        let quick = function.isQuick && !isAsync ? ", quick: true" : ""
        let isolation = function.isMainActor ? "@MainActor " : ""
        return """
            _rows.append(.\(form)(\(name)\(quick)) { \(isolation)(\(target)\(parameters) -> ComponentKit.Payload in
            \(body.indented(by: 4))
            })
            """
    }

    private var body: String {
        var statements = function.parameters.enumerated().map { index, parameter in
            parameter.decoding(into: "_argument\(index)", lines)
        }
        if function.isStrict {
            let keys = function.parameters.map(\.key.swiftLiteral).joined(separator: ", ")
            statements.insert("try ComponentKit.__ModelCoding.refuseKeys(besides: [\(keys)], in: _payload)", at: 0)
        }
        if function.isClassMethod, !function.isStatic {
            statements.append("let _target = try \(target).__instance(for: _call.context)")
        }
        let arguments = function.parameters.enumerated().map { index, parameter in
            (parameter.label.map { "\($0): " } ?? "") + "_argument\(index)"
        }
        // The compiler warns about an `await` without a suspension point.
        let waits = function.isAsync || function.hops
        let effects = (function.canThrow ? "try " : "") + (waits ? "await " : "")
        let receiver = function.isStatic ? target : "_target" + (member.map { ".\($0)" } ?? "")
        let call = "\(effects)\(receiver).\(function.declaration.name.text)(\(arguments.joined(separator: ", ")))"
        if let handler = function.handler {
            if handler.isTyped, let parameter = function.parameters.first {
                let check = "ComponentKit.__CurrentDelivery.requireEvent((\(parameter.type.source)).self)"
                statements.insert(lines.at(parameter.syntax, check), at: 0)
            }
            statements.append("\(effects)ComponentKit.__CurrentDelivery.handling(_payload) { \(call) }")
            return (statements + ["return .null"]).joined(separator: "\n")
        }
        if let module = function.pageModule, !module.isCondition {
            let node = "return ComponentKit.__ModelCoding.payload(_view.node)"
            return (statements + ["let _view = \(call)", lines.at(function.resultSyntax, node)])
                .joined(separator: "\n")
        }
        guard let result = function.result else {
            return (statements + [call, "return .null"]).joined(separator: "\n")
        }
        statements.append("let _result: \(result.source) = \(call)")
        switch result.kind {
        case .service(let client):
            let encoding = "return try ComponentKit.__LinkCoding.service(_result, as: \(client).self, for: _call)"
            statements.append(function.marked(encoding, lines))
        case _ where result.isPlain: statements.append("return ComponentKit.__ModelCoding.payload(_result)")
        default:
            let encoding = "return try ComponentKit.__LinkCoding.payload(of: _result, for: _call)"
            statements.append(function.marked(encoding, lines))
        }
        return statements.joined(separator: "\n")
    }
}

extension String {
    /// Returns the text with each non-empty line indented by `count` spaces.
    func indented(by count: Int) -> String {
        let space = String(repeating: " ", count: count)
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : space + $0 }.joined(separator: "\n")
    }
}
