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
    /// - Returns: nil when there is nothing to say.
    init?(
        for code: String, _ className: String, _ selector: String, _ kind: SelectorKind, in catalog: Catalog
    ) {
        switch code {
        case "\(LinkError.Code.classNotFound)":
            let classes = catalog.entries.flatMap(\.manifest.classes).map(\.name)
            if let near = NearMiss.nearest(to: className, in: classes) {
                text = "Did you mean \(near)?"
            } else if catalog.entries.isEmpty {
                text = "No component was found; 'hslink list --all' shows where was looked, and what is there."
            } else {
                text = "'hslink list --all' shows what is there; 'hslink inspect FILE' names its classes."
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
}
