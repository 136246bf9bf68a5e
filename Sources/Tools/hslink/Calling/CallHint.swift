import ComponentHost
import ComponentKit
import ManifestRules
import SystemSupport

/// A suggestion for a call to an unknown class or selector, derived from manifests alone.
struct CallHint {
    /// A human-readable sentence.
    let text: String

    /// Creates a hint; nil if there is none.
    ///
    /// - Parameters:
    ///   - code: the code of the call's failure.
    ///   - className: the requested class.
    ///   - selector: the requested selector.
    ///   - kind: the requested kind of method.
    ///   - catalog: the host's components.
    ///   - place: the location of the host; commands in the hint refer to the same host.
    init?(
        for code: LinkError.Code, className: String, selector: String, kind: SelectorKind, in catalog: Catalog,
        at place: HostPlace
    ) {
        let list = "'hslink list --all\(place.options)'"
        switch code {
        case .classNotFound:
            let classes = catalog.entries.flatMap(\.manifest.classes).map(\.name) + OwnClasses.names
            if let command = CallHint.command(splitting: className, selector, of: classes, at: place) {
                text = "The selector is a word of its own: \(command)"
            } else if let similar = SimilarName.nearest(to: className, in: classes) {
                text = "Did you mean \(similar)?"
            } else if catalog.entries.isEmpty {
                text = "No component was found; \(list) shows rejected files and directories."
            } else {
                text = "\(list) shows the components; 'hslink inspect FILE' shows a component's classes."
            }
        case .selectorNotFound:
            let manifest = catalog.entry(ofClass: className)?.manifest
            guard let declaration = OwnClasses.declaration(of: className) ?? manifest?.classDeclaration(className)
            else { return nil }
            // Declared, but missing from the loaded class or not callable: the error already explains that.
            if declaration.selector(selector, kind) != nil || manifest?.refuses(selector) == true { return nil }
            let other: SelectorKind = kind == .object ? .class : .object
            let flag = other == .class ? "add --class-method" : "leave out --class-method"
            if declaration.selector(selector, other) != nil {
                text = "It is \(other == .class ? "a class" : "an object") method: \(flag)."
            } else if let similar = SimilarName.nearest(
                to: selector, in: declaration.selectors.filter { $0.kind == kind }.map(\.name))
            {
                text = "Did you mean \(similar)?"
            } else if let similar = SimilarName.nearest(to: selector, in: declaration.selectors.map(\.name)) {
                text = "Did you mean \(similar)? Then \(flag)."
            } else {
                text = "'hslink call \(className.quotedForShell)\(place.options)' lists the selectors of the class."
            }
        case .routeNotFound:
            text =
                catalog.entries.isEmpty
                ? "No component was found; \(list) shows rejected files and directories."
                : "'hslink routes --match URL\(place.options)' shows the closest routes, and why they do not match."
        default: return nil
        }
    }

    /// Returns the command that was meant by `CLASS.SELECTOR` in place of two words; nil if there is no such class. It
    /// does not show the payload, which may be a password.
    ///
    /// - Parameters:
    ///   - name: the first word.
    ///   - next: the word behind it, taken for the selector; empty if there is none.
    ///   - classes: the known classes.
    ///   - place: the location of the host.
    private static func command(
        splitting name: String, _ next: String, of classes: [String], at place: HostPlace
    ) -> String? {
        let parts = name.exactParts(between: ".", omittingEmpty: false)
        guard parts.count > 1, let selector = parts.last, !selector.isEmpty else { return nil }
        let className = parts.dropLast().joined(separator: ".")
        guard classes.contains(where: { $0.isExactly(className) }) else { return nil }
        let words = "\(className.quotedForShell) \(selector.quotedForShell)\(next.isEmpty ? "" : " …")"
        return "hslink call \(words)\(place.options)"
    }

    /// Returns a hint on how to use a returned object, which JSON cannot represent and which cannot leave its process.
    static func forObject(at place: HostPlace) -> String {
        switch place {
        case .directories: "Later calls in the same process can use the object; see SCRIPTS in 'hslink call --help'."
        case .socket:
            "Objects and streams stay in their process. Without --host, 'hslink call -' makes several calls in one "
                + "process, and later calls can use them."
        }
    }

    /// Returns a hint for a call that failed because another host uses the data directory.
    static func forUsedData(at place: HostPlace) -> String {
        switch place {
        case .directories:
            "Call the running host with 'hslink call --host SOCKET …'; 'hslink run' prints its socket at startup."
        case .socket: "Start this host with a data directory of its own: 'hslink run --data DIR'."
        }
    }
}
