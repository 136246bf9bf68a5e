import ComponentHost
import ComponentKit
import ManifestRules

/// What may have been meant by a class or a selector that is not there, from manifests alone.
struct CallHint {
    /// A sentence for people.
    let text: String

    /// - Parameters:
    ///   - code: of the call's failure.
    ///   - className: that was asked for.
    ///   - selector: that was asked for.
    ///   - kind: that was asked for.
    ///   - catalog: where to look.
    ///   - place: of the host that was asked; commands in the hint ask the same.
    /// - Returns: nil when there is nothing to say.
    init?(
        for code: String, _ className: String, _ selector: String, _ kind: SelectorKind, in catalog: Catalog,
        at place: HostPlace
    ) {
        let list = "'hslink list --all\(place.options)'"
        switch code {
        case "\(LinkError.Code.classNotFound)":
            let classes = catalog.entries.flatMap(\.manifest.classes).map(\.name)
            if let near = NearMiss.nearest(to: className, in: classes) {
                text = "Did you mean \(near)?"
            } else if catalog.entries.isEmpty {
                text = "No component was found; \(list) shows where was looked, and what is there."
            } else {
                text = "\(list) shows what is there; 'hslink inspect FILE' names its classes."
            }
        case "\(LinkError.Code.selectorNotFound)":
            guard let declaration = catalog.entry(ofClass: className)?.manifest.classDeclaration(className) else {
                return nil
            }
            // It is declared, and missing all the same: the error says why.
            if declaration.selector(selector, kind) != nil { return nil }
            let other: SelectorKind = kind == .object ? .class : .object
            let flag = other == .class ? "give --class-method" : "leave --class-method out"
            if declaration.selector(selector, other) != nil {
                text = "It is \(other == .class ? "a class" : "an object") method: \(flag)."
            } else if let near = NearMiss.nearest(
                to: selector, in: declaration.selectors.filter { $0.kind == kind }.map(\.name))
            {
                text = "Did you mean \(near)?"
            } else if let near = NearMiss.nearest(to: selector, in: declaration.selectors.map(\.name)) {
                text = "Did you mean \(near)? Then \(flag)."
            } else {
                return nil
            }
        default: return nil
        }
    }

    /// What to do with an object, which JSON cannot hold and which cannot leave its process.
    static func forObject(at place: HostPlace) -> String {
        switch place {
        case .directories: "Later calls of one process can use it: 'hslink call --help' says how, under SCRIPTS."
        case .socket:
            "Objects and streams stay in their process: without --host, 'hslink call -' makes several calls in one, and "
                + "later calls can use them."
        }
    }

    /// What to do where another host works on the data.
    static func forUsedData(at place: HostPlace) -> String {
        switch place {
        case .directories:
            "A running host is asked with 'hslink call --host SOCKET …'; 'hslink run' says where it listens."
        case .socket: "Start this host with a data directory of its own: 'hslink run --data DIR'."
        }
    }
}
