/// Declares the component that this module is, from its manifest in JSON (RFC 8259).
///
/// Write it once a component, at file scope, in a file that imports ComponentKit and is not `main.swift` (the compiler
/// warns there that the records are never used):
///
/// ```swift
/// #manifest("""
///     {
///       "name": "ComponentVideo", "version": "1.0.0", "layer": "business", "summary": "Reads video files",
///       "classes": [
///         { "name": "VideoLink", "selectors": [
///           { "name": "probe", "parameters": { "path": "string" }, "result": "map" } ] } ],
///       "requires": [
///         { "component": "EMAccount", "version": ">=1.0.0 <2.0.0", "optional": true },
///         { "class": "HostLink" } ]
///     }
///     """)
/// ```
///
/// It becomes an ELF note, which hosts read without running anything, and records through which the component's entry
/// point finds its types. The macro puts the module's name into the note and takes out insignificant whitespace; the
/// rest stays as written. What the manifest does not allow is an error at its line of the literal, while building.
/// Each Swift type that it names must exist and be visible in the file, else the compiler reports it.
///
/// The component:
///
/// | key | value |
/// |---|---|
/// | `name` | required: letters A-Z and a-z, digits, `_`, `.`, `-`, a letter first |
/// | `version` | required: `MAJOR.MINOR.PATCH` with an optional `-PRERELEASE` (Semantic Versioning 2.0.0) |
/// | `layer`, `summary` | texts for people and tools |
/// | `type` | the Swift type for the component's life; without it the component has none |
/// | `classes` | its link classes, see below |
/// | `requires` | what the component requires, see below |
/// | `services`, `models` | its contracts, in the form of the notes in `hslink_manifest.h`; read by hosts |
/// | `routes`, `events` | lists that the macro passes on unread |
///
/// A link class: `name` (required, unique); `type`, the Swift type behind it, the class's name unless said;
/// `instances`, `"shared"` (one a component, the default), `"perCall"` or `"perConsumer"`; `selectors`; `provides`, the
/// names of services; `summary`.
///
/// A selector: `name` (required); `kind`, `"object"` (the default) or `"class"`, unique together with the name;
/// `parameters`, an object from names to types; `result`; `quick`, `async`, `mainActor`, true or false; `summary`.
///
/// A requirement: exactly one of `component`, `class`, `service` and `protocol` (that of a service); with a component
/// `version`, a range; with a class `selectors`; `optional`, false unless said; `summary`.
///
/// Everywhere a key that begins with `x-` is free; every other unknown key is an error, and so are `module`, `compiler`
/// and `abi`, which the macros write.
///
/// - Parameter json: One string literal without interpolation: plain, multi-line or raw. Its text, without whitespace
///   and with the module's name, may take 32,760 bytes. In a literal that is not raw, Swift resolves escapes before JSON
///   sees them: an escape of JSON needs two backslashes there.
@freestanding(declaration)
public macro manifest(_ json: StaticString) = #externalMacro(module: "ComponentMacros", type: "ManifestMacro")
