import ComponentKit
import Routing
import SystemSupport

/// A route that a URL leads to when nothing is asked first, and its call.
struct DirectRoute {
    let target: RouteTarget
    let className: String
    let selector: String
    let kind: SelectorKind
    let parameters: Payload
}

extension RouteDirectory {
    /// Returns the call that a URL from inside leads to if no redirects, interceptors or tags are in the way, as is most
    /// often the case, and nothing is passed beside the URL. Nil if it takes more steps, or nothing matches.
    func directRoute(for url: String) throws(LinkError) -> DirectRoute? {
        guard isDirect, let match = table.match(url), match.value.tags.isEmpty, !match.value.isTargetAction,
            case .named(let className, let selector, let kind) = match.value.call
        else { return nil }
        do throws(LinkError) {
            let parameters = try match.payload(.null, options, of: match.value.parameters)
            return DirectRoute(
                target: match.value, className: className, selector: selector, kind: kind, parameters: parameters)
        } catch {
            throw error.naming(match.value)
        }
    }
}

extension LinkError {
    /// Returns the error with a URL that was being opened if calls were nested too deeply: the way through the URLs,
    /// innermost first, as far as it is of interest.
    func noting(_ url: String) -> LinkError {
        guard code == .tooDeep else { return self }
        // The number of URLs is counted in the sentence, since it cannot travel beside it: between two of them, the
        // error crosses the boundary, which carries no more of an error than what people are shown. A number in the
        // details would be printed too.
        let (opened, arrow) = ("; opened by ", " ← ")
        let steps = message.split(separator: opened).dropFirst().last?.split(separator: arrow).count ?? 0
        let step: String
        switch steps {
        case 0: step = opened + url.escaped
        case 1...4: step = arrow + url.escaped
        case 5: step = arrow + "…"
        default: return self
        }
        return LinkError(.tooDeep, message: message + step)
            .naming(className: className, selector: selector, component: component)
    }

    func naming(_ target: RouteTarget) -> LinkError {
        naming(className: target.call.className, selector: target.call.selector, component: target.component)
    }
}
