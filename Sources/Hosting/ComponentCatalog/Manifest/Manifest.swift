public import ComponentKit
// Versions and ranges are part of a manifest, so importers of this module need their types.
@_exported public import ManifestRules
import SystemSupport

/// The manifest of a component, read from the notes of its file without running any code.
///
///     {"name": "ComponentVideo", "version": "1.0.0", "layer": "business",
///      "summary": "Looks into video files.",
///      "classes": [{"name": "VideoLink", "instances": "shared", "selectors": [
///          {"name": "probe", "kind": "object", "parameters": {"path": "String"}, "result": "map",
///           "quick": true}]}],
///      "services": […], "models": […],
///      "requires": [{"component": "EMAccount", "version": ">=1.0.0 <2.0.0", "optional": true},
///                   {"class": "HostLink"}]}
///
/// Only `name` and `version` are required.
public struct Manifest: Hashable, Sendable {
    /// The name of the component; at most one component with each name runs in a host.
    public internal(set) var name: String
    /// The version of the component.
    public internal(set) var version: Version
    /// The component's layer, as in "business".
    public internal(set) var layer: String?
    /// A human-readable summary of the component's purpose.
    public internal(set) var summary: String?
    /// The component's Swift module; the component's name when the manifest does not specify a module.
    public internal(set) var module: String
    /// The Swift compiler that built the component, as in "6.3.1"; nil for other languages.
    public internal(set) var compiler: String?
    /// The ABI version that the component was built for; nil when the file does not specify one.
    public internal(set) var abi: ABIVersion?
    /// The classes that other components and the host may call.
    public internal(set) var classes: [ClassDeclaration]
    /// The services that the component's file describes: those that it provides, and those that it was compiled
    /// against. For a component that is linked into the program, these are the services of the whole program.
    package internal(set) var services: [ServiceDeclaration] = []
    /// The models that the component's file describes. For a component that is linked into the program, these are the
    /// models of the whole program.
    package internal(set) var models: [ModelDeclaration] = []
    /// The requirements of the component.
    public internal(set) var requires: [Requirement]
    /// The names of the events that the component posts, as far as it declares them.
    public internal(set) var posts: [String] = []
    /// When the component is loaded.
    public internal(set) var starts = ComponentStart.onDemand
    /// The order among components that start with the host; higher ones start first, after what they require.
    public internal(set) var priority = 0
    /// The name of the model that the component reads from its configuration; nil when it declares none.
    public internal(set) var configuration: String?
    /// The keys that this version of the host does not read, as a map; null when there are none.
    public internal(set) var extra = Payload.null

    package init(
        name: String, version: Version, module: String, classes: [ClassDeclaration], requires: [Requirement]
    ) {
        self.name = name
        self.version = version
        self.module = module
        self.classes = classes
        self.requires = requires
    }

    /// A version of the boundary between host and component. The major number must be the same as the host's.
    public struct ABIVersion: Hashable, Sendable, CustomStringConvertible {
        /// The major number, which changes when an old reader would misread the structs.
        public let major: UInt16
        /// The minor number, which changes when something is added.
        public let minor: UInt16

        /// - Parameters:
        ///   - major: The major number, which changes when an old reader would misread the structs.
        ///   - minor: The minor number, which changes when something is added.
        public init(major: UInt16, minor: UInt16) {
            self.major = major
            self.minor = minor
        }

        /// The version in the form `1.0`.
        public var description: String { "\(major).\(minor)" }
    }

    /// Returns the class with this name; nil when the component declares none.
    public func classDeclaration(_ name: String) -> ClassDeclaration? {
        classes.first { $0.name.isExactly(name) }
    }
}

/// A class that other components and the host may call.
public struct ClassDeclaration: Hashable, Sendable {
    /// The host's policy for creating instances for object methods.
    public enum Instances: String, Hashable, Sendable, CaseIterable {
        /// One instance for all calls.
        case shared
        /// A new instance for each call.
        case perCall
        /// One instance for each calling component, and one for the host's own code.
        case perConsumer
    }

    /// The name that callers use.
    public let name: String
    /// The instance policy; `shared` when the manifest does not specify one.
    public let instances: Instances
    /// The names of the services that the class provides.
    public let provides: [String]
    /// The methods of the class in the order of the manifest, followed by those of its services that the manifest does
    /// not list.
    public let selectors: [SelectorDeclaration]
    /// A human-readable summary of the class's purpose.
    public let summary: String?
    /// The keys that this version of the host does not read, as a map; null when there are none.
    public let extra: Payload

    package init(
        name: String, instances: Instances = .shared, provides: [String] = [], selectors: [SelectorDeclaration],
        summary: String? = nil, extra: Payload = .null
    ) {
        self.name = name
        self.instances = instances
        self.provides = provides
        self.selectors = selectors
        self.summary = summary
        self.extra = extra
    }

    /// Returns the method with this name and kind; nil when the class declares none.
    public func selector(_ name: String, _ kind: SelectorKind) -> SelectorDeclaration? {
        selectors.first { $0.kind == kind && $0.name.isExactly(name) }
    }
}

/// A method of a class.
public struct SelectorDeclaration: Hashable, Sendable {
    /// A key of the payload and the type of its value.
    public struct Parameter: Hashable, Sendable {
        /// The key.
        public let name: String
        /// The type in Swift's spelling, as in "String", also if a component in another language writes "string".
        public let type: String

        /// - Parameters:
        ///   - name: The key.
        ///   - type: The type in Swift's spelling.
        public init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    /// The name that callers use.
    public let name: String
    /// Whether the method is called on an instance or on the class; an instance when the manifest does not specify it.
    /// A class may have two methods with the same name, one of each kind.
    public let kind: SelectorKind
    /// The parameters, in the order of the manifest.
    public let parameters: [Parameter]
    /// The type of the result; nil when the method returns no value, or the manifest does not specify it.
    public let result: String?
    /// Whether the method never blocks, so asynchronous callers may run it on their own thread.
    public let isQuick: Bool
    /// Whether the method answers later.
    public let isAsync: Bool
    /// Whether the method does its work on the main thread, so the main thread must not wait for it.
    public let isMainActor: Bool
    /// A human-readable summary of what the method does.
    public let summary: String?
    /// The routes: opening a URL that matches one of them calls the method. Those that are not valid are left out.
    public let routes: [RouteDeclaration]
    /// For each route that was left out, the reason, as in `routes[1].pattern: expected …, found …`.
    public var routeProblems: [String] { routeErrors.map { $0.text(root: nil) } }
    /// For each route that was left out, the error, with its path in the selector.
    package let routeErrors: [PayloadError]
    /// Whether and when the method is asked before a route is opened; nil when it is not an interceptor.
    public let intercepts: InterceptionDeclaration?
    /// Which event the method handles; nil when it handles none.
    public let handles: HandlerDeclaration?
    /// The page module whose view the method returns; nil if it is not one.
    public let pageModule: PageModuleDeclaration?
    /// The keys that this version of the host does not read, as a map; null when there are none.
    public let extra: Payload

    package init(
        name: String, kind: SelectorKind = .object, parameters: [Parameter] = [], result: String? = nil,
        isQuick: Bool = false, isAsync: Bool = false, isMainActor: Bool = false, summary: String? = nil,
        routes: [RouteDeclaration] = [], routeErrors: [PayloadError] = [], intercepts: InterceptionDeclaration? = nil,
        handles: HandlerDeclaration? = nil, pageModule: PageModuleDeclaration? = nil, extra: Payload = .null
    ) {
        self.name = name
        self.kind = kind
        self.parameters = parameters
        self.result = result
        self.isQuick = isQuick
        self.isAsync = isAsync
        self.isMainActor = isMainActor
        self.summary = summary
        self.routes = routes
        self.routeErrors = routeErrors
        self.intercepts = intercepts
        self.handles = handles
        self.pageModule = pageModule
        self.extra = extra
    }

    /// The name and kind, which together identify the method in its class.
    package var reference: SelectorReference { SelectorReference(name: name, kind: kind) }
}

/// A selector that a requirement names.
public struct SelectorReference: Hashable, Sendable {
    /// The name that callers use.
    public let name: String
    /// Whether it is called on an instance or on the class.
    public let kind: SelectorKind

    /// - Parameters:
    ///   - name: The name that callers use.
    ///   - kind: Whether it is called on an instance or on the class.
    public init(name: String, kind: SelectorKind = .object) {
        self.name = name
        self.kind = kind
    }

    /// Returns whether the names are the same, byte for byte, and the kinds are.
    public static func == (left: SelectorReference, right: SelectorReference) -> Bool {
        left.kind == right.kind && left.name.isExactly(right.name)
    }

    /// Hashes the name and the kind.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(name))
        hasher.combine(kind)
    }

    /// Parses the form used in manifests, in which a class method has a leading plus, as in "+open".
    init(_ text: String) {
        let isClassMethod = text.hasPrefix("+")
        self.init(name: isClassMethod ? String(text.dropFirst()) : text, kind: isClassMethod ? .class : .object)
    }
}

extension SelectorReference: CustomStringConvertible {
    /// The selector in the form used in manifests, such as `log` or `+open`.
    public var description: String { kind == .class ? "+\(name)" : name }
}
