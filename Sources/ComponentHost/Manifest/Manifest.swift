public import ComponentKit

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
    public internal(set) var services: [ServiceDeclaration] = []
    /// The types of values that its file describes; of a component that is linked into the program, those of the
    /// whole program.
    public internal(set) var models: [ModelDeclaration] = []
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
