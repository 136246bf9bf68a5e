public import ComponentKit
// Versions and ranges are part of a manifest: importers of this module can use them.
@_exported public import ManifestRules

/// What a component says about itself, read from the notes of its file without running anything.
///
///     {"name": "ComponentVideo", "version": "1.0.0", "layer": "business",
///      "summary": "Looks into video files.",
///      "classes": [{"name": "VideoLink", "instances": "shared", "selectors": [
///          {"name": "probe", "kind": "object", "parameters": {"path": "string"}, "result": "map",
///           "quick": true}]}],
///      "services": […], "models": […],
///      "requires": [{"component": "EMAccount", "version": ">=1.0.0 <2.0.0", "optional": true},
///                   {"class": "HostLink"}]}
///
/// Only `name` and `version` have to be there.
public struct Manifest: Hashable, Sendable {
    /// Which component it is; one of a name runs in a host.
    public internal(set) var name: String
    /// Its version.
    public internal(set) var version: Version
    /// Its place in the order of layers, as in "business".
    public internal(set) var layer: String?
    /// What it is for, for people.
    public internal(set) var summary: String?
    /// The Swift module it is written in; the name of the component where the manifest does not say.
    public internal(set) var module: String
    /// The Swift compiler it was built with, as in "6.3.1"; nil for other languages.
    public internal(set) var compiler: String?
    /// The revision of the boundary it was built for; nil when the file does not say.
    public internal(set) var abi: ABIVersion?
    /// The classes that others may call.
    public internal(set) var classes: [ClassDeclaration]
    /// The services that its file describes: those that it provides, and those that it was compiled against. Of a
    /// component that is linked into the program, those of the whole program.
    package internal(set) var services: [ServiceDeclaration] = []
    /// The types of values that its file describes; of a component that is linked into the program, those of the
    /// whole program.
    package internal(set) var models: [ModelDeclaration] = []
    /// What it needs of others.
    public internal(set) var requires: [Requirement]
    /// A map of the keys that this version of the host does not read; null when there are none.
    public internal(set) var extra = Payload.null

    /// A revision of the boundary: the host's major number has to be the same.
    public struct ABIVersion: Hashable, Sendable, CustomStringConvertible {
        /// Changes when an old reader would misread.
        public let major: UInt16
        /// Changes when something is added.
        public let minor: UInt16

        /// - Parameters:
        ///   - major: changes when an old reader would misread.
        ///   - minor: changes when something is added.
        public init(major: UInt16, minor: UInt16) {
            self.major = major
            self.minor = minor
        }

        /// As in "1.0".
        public var description: String { "\(major).\(minor)" }
    }

    /// The class of this name; nil when the component declares none.
    public func classDeclaration(_ name: String) -> ClassDeclaration? {
        classes.first { $0.name == name }
    }
}

/// A class of a component that others may call.
public struct ClassDeclaration: Hashable, Sendable {
    /// How the host keeps instances for object methods.
    public enum Instances: String, Hashable, Sendable, CaseIterable {
        /// One for all calls.
        case shared
        /// A new one for each call.
        case perCall
        /// One for each component that calls, and one for the host's own code.
        case perConsumer
    }

    /// The name that callers use.
    public let name: String
    /// `shared` where the manifest does not say.
    public let instances: Instances
    /// The names of the services that it provides.
    public let provides: [String]
    /// Its methods, in the order of the manifest; then those of its services that it does not list itself.
    public let selectors: [SelectorDeclaration]
    /// What it is for, for people.
    public let summary: String?
    /// A map of the keys that this version of the host does not read; null when there are none.
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

    /// The method of this name and kind; nil when the class declares none.
    public func selector(_ name: String, _ kind: SelectorKind) -> SelectorDeclaration? {
        selectors.first { $0.name == name && $0.kind == kind }
    }
}

/// A method of a class.
public struct SelectorDeclaration: Hashable, Sendable {
    /// A key of the payload and the type of its value.
    public struct Parameter: Hashable, Sendable {
        /// The key.
        public let name: String
        /// As the component's author writes it, as in "string".
        public let type: String

        /// - Parameters:
        ///   - name: the key.
        ///   - type: for people and tools.
        public init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    /// The name that callers use.
    public let name: String
    /// What it is called on: an object where the manifest does not say. A class may have two methods of
    /// one name, one of each kind.
    public let kind: SelectorKind
    /// In the order of the manifest.
    public let parameters: [Parameter]
    /// The type of the value it returns; nil when it returns none, or the manifest does not say.
    public let result: String?
    /// It never blocks: asynchronous callers may run it in place.
    public let isQuick: Bool
    /// It answers later.
    public let isAsync: Bool
    /// It does its work on the main thread: nobody on the main thread waits for it.
    public let isMainActor: Bool
    /// What it does, for people.
    public let summary: String?
    /// A map of the keys that this version of the host does not read; null when there are none.
    public let extra: Payload

    package init(
        name: String, kind: SelectorKind = .object, parameters: [Parameter] = [], result: String? = nil,
        isQuick: Bool = false, isAsync: Bool = false, isMainActor: Bool = false, summary: String? = nil,
        extra: Payload = .null
    ) {
        self.name = name
        self.kind = kind
        self.parameters = parameters
        self.result = result
        self.isQuick = isQuick
        self.isAsync = isAsync
        self.isMainActor = isMainActor
        self.summary = summary
        self.extra = extra
    }

    /// Name and kind: what tells it from the others of its class.
    var reference: SelectorReference { SelectorReference(name: name, kind: kind) }
}

/// A selector as a requirement names it.
public struct SelectorReference: Hashable, Sendable {
    /// The name that callers use.
    public let name: String
    /// Whether it is called on an instance or on the class.
    public let kind: SelectorKind

    /// - Parameters:
    ///   - name: the name that callers use.
    ///   - kind: what it is called on.
    public init(name: String, kind: SelectorKind = .object) {
        self.name = name
        self.kind = kind
    }

    /// As manifests write it: a class method has a plus in front, as in "+open".
    init(_ text: String) {
        let isClassMethod = text.hasPrefix("+")
        self.init(name: isClassMethod ? String(text.dropFirst()) : text, kind: isClassMethod ? .class : .object)
    }
}

extension SelectorReference: CustomStringConvertible {
    /// As in "log" or "+open".
    public var description: String { kind == .class ? "+\(name)" : name }
}
