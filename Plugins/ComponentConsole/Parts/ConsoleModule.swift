import ComponentKit
import PageKit

/// The page modules of the console. `@PageModule` takes literals only, so the names are at the functions as well.
enum ConsoleModule: String, CaseIterable, Sendable {
    case frame = "console.frame"
    case summary = "console.summary"
    case components = "console.components"
    case unused = "console.unused"
    case activity = "console.activity"
    case component = "console.component"
    case componentCounters = "console.component.counters"
    case componentCall = "console.component.call"
    case componentParts = "console.component.parts"
    case routes = "console.routes"
    case explain = "console.routes.explain"
    case events = "console.events"
    case posts = "console.events.posts"
    case log = "console.log"
    case counters = "console.counters"
    case histogram = "console.counters.histogram"
    case times = "console.times"

    /// The modules that show what is allowed.
    static let dependingOnOptions: [ConsoleModule] = [.components, .component, .componentCall]
}

/// Which component a module is about.
@Model
struct ConsoleSubject: Hashable, Sendable {
    /// The name of the component.
    var component: String
}

extension Events {
    /// Tells the pages of the session that has chosen something to ask a module again.
    func postChosen(_ module: ConsoleModule) { post(PageModuleChanged(module.rawValue, sessionOnly: true)) }
}
