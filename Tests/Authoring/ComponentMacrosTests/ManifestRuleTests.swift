import ComponentKit
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("Macros and hosts accept the same")
struct ManifestRuleTests {
    /// A text of a manifest: its positions in Swift and in JSON.
    enum Place: String, CaseIterable {
        case componentName, version, requiredComponent, versionRange, requiredClass, requiredSelector, requiredService
        case className, selector, row, service, tag

        /// A Swift file with the text in this position.
        func source(_ text: String) -> String {
            let literal = text.swiftLiteral
            let component = "@Component(\"V\", version: \"1.0.0\", requires: [%])\nstruct V {}"
            func requirement(_ source: String) -> String { component.replacing("%", with: source) }
            return switch self {
            case .componentName: "@Component(\(literal), version: \"1.0.0\")\nstruct V {}"
            case .version: "@Component(\"V\", version: \(literal))\nstruct V {}"
            case .requiredComponent: requirement(".component(\(literal))")
            case .versionRange: requirement(".component(\"A\", \(literal))")
            case .requiredClass: requirement(".class(\(literal))")
            case .requiredSelector: requirement(".class(\"A\", selectors: [\(literal)])")
            case .requiredService: requirement(".service(\(literal))")
            case .className: "@LinkClass(\(literal))\nfinal class V {\n    @Selector func a() {}\n}"
            case .selector: "@LinkClass\nfinal class V {\n    @Selector(\(literal)) func a() {}\n}"
            case .row:
                "@LinkClass\nfinal class V {\n    static let rows: [LinkMethod<V>] = [.method(\(literal)) { _, _ in }]\n}"
            case .service: "@LinkService(\(literal))\nprotocol V: Sendable {}"
            case .tag:
                "@LinkClass\nfinal class V {\n    @Intercepts(tags: [\(literal)]) func a(request: RouteRequest) -> "
                    + "RouteDecision { .pass }\n}"
            }
        }

        /// A component's note with the text in this position.
        func manifest(_ text: Payload) -> Payload {
            func note(_ key: String, _ value: Payload) -> Payload {
                let rest: Payload = ["name": "V", "version": "1.0.0"]
                return rest.setting(key, value)
            }
            func linkClass(_ selectors: Payload, name: Payload = "V") -> Payload {
                note("classes", [["name": name, "selectors": selectors]])
            }
            return switch self {
            case .componentName: note("name", text)
            case .version: note("version", text)
            case .requiredComponent: note("requires", [["component": text]])
            case .versionRange: note("requires", [["component": "A", "version": text]])
            case .requiredClass: note("requires", [["class": text]])
            case .requiredSelector: note("requires", [["class": "A", "selectors": [text]]])
            case .requiredService: note("requires", [["service": text]])
            case .className: linkClass([], name: text)
            case .selector, .row: linkClass([["name": text]])
            case .tag: linkClass([["name": "a", "intercepts": ["tags": [text]]]])
            case .service: note("services", [["name": text, "protocol": "V", "selectors": []]])
            }
        }
    }

    /// Texts that are valid in some positions, and texts that are valid in none.
    private static let texts = [
        "A", "EMAccount", "host", "Host", "a-b.c_1", "1a", "Größe", "a b", "+a", "a/1", "com.example.account/1",
        "com.example.account/01",
        "com.example.account/0", "com.example.account/", "/1", "a.b-/1", "a/b/1", "-a/1", "1.0.0", "1.0.0-beta.1",
        "1.0.0+build.5", "1.0.0-a+b", "1.0", "v1.0.0", "01.0.0", "9223372036854775808.0.0",
        "18446744073709551616.0.0", ">=1.0.0 <2.0.0", ">= 1.0.0", "~>1.0", "^1.2.3", "==1.0.0", ">=1.0.0,<2.0.0", "*",
        ">=1.0.0\t", "\u{1B}[0m", "a\u{202E}b", "a\u{7F}",
        String(repeating: "a", count: 255), String(repeating: "a", count: 256),
    ]

    @Test("for any text at any position", arguments: Place.allCases)
    func same(_ place: Place) throws {
        var accepted = 0
        for text in Self.texts {
            let expansion = Expansion(of: place.source(text))
            let json = place.manifest(.string(text))
            var refusal: PayloadError?
            do throws(PayloadError) {
                let manifest = try Manifest(json)
                #expect(manifest.name.isEmpty == false)
            } catch {
                refusal = error
            }
            #expect(expansion.diagnostics.isEmpty == (refusal == nil), "\(place) \(text.debugDescription)")
            if let refusal {
                #expect(expansion.diagnostics.first?.contains(": expected \(refusal.expected)") == true, "\(refusal)")
            } else {
                accepted += 1
            }
        }
        #expect(accepted > 0 && accepted < Self.texts.count)
    }

    @Test(
        "a version or range in another notation is corrected",
        arguments: [
            (Place.version, "1.0", "1.0.0"), (.version, "v2", "2.0.0"), (.version, "1.2-beta", "1.2.0-beta"),
            (.versionRange, "~>1.2", ">=1.2.0 <2.0.0"), (.versionRange, "~>1.2.3", ">=1.2.3 <1.3.0"),
            (.versionRange, "^1.2.3", ">=1.2.3 <2.0.0"), (.versionRange, "==1.0", "=1.0.0"),
            (.versionRange, ">=1.0,<2", ">=1.0.0 <2.0.0"), (.versionRange, "1", "1.0.0"),
        ])
    func corrected(place: Place, text: String, correction: String) {
        #expect(Expansion(of: place.source(text)).fixIts == ["write \"\(correction)\": \"\(correction)\""])
        #expect(Expansion(of: place.source(correction)).diagnostics == [])
    }

    @Test(
        "an unreadable version has no correction", arguments: ["*", "latest", "1.x", "", "!=1.0.0", "1.0.0 ..< 2.0.0"])
    func uncorrected(text: String) {
        for place in [Place.version, .versionRange] where !(place == .versionRange && text.isEmpty) {
            let expansion = Expansion(of: place.source(text))
            #expect(expansion.diagnostics.count == 1)
            #expect(expansion.fixIts == [])
        }
    }

    @Test("an empty range means any version, like no range")
    func anyVersion() throws {
        let expansion = Expansion(of: Place.versionRange.source(""))
        #expect(expansion.diagnostics == [])
        #expect(expansion.notes == [#"{"module":"Video","name":"V","version":"1.0.0","requires":[{"component":"A"}]}"#])
    }
}

extension Payload {
    fileprivate func setting(_ key: String, _ value: Payload) -> Payload {
        let others = ((try? entries()) ?? []).filter { $0.key != key }
        return .map(others.map { ($0.key, $0.value) } + [(key, value)])
    }
}
