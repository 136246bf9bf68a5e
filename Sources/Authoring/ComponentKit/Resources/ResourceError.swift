import CHSLink
import SystemSupport

/// The reason why a resource cannot be used. It names the component and the file.
///
///     do {
///         let sounds = try context.resources.json("sounds.json", as: [Sound].self)
///     } catch {
///         switch error.code {
///         case .notFound: …         // it is optional: continue without it
///         default: throw error      // Player: the resource "sounds.json": …
///         }
///     }
///
/// Callers of a method that throws it receive a ``LinkError`` in the domain `hslink.resources`, with the number of the
/// code.
public struct ResourceError: Error, Hashable, Sendable {
    /// The kind of failure. New codes may be added, so a `switch` over codes needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number at the boundary, `HSLINK_RESOURCES_…`.
        public var rawValue: Int32

        /// Creates the code with this number, which need not be a known one.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// There is no such file or folder, or the component has no resources.
        public static let notFound = Code(rawValue: 1)
        /// The name is not valid; see ``Resources``.
        public static let invalidName = Code(rawValue: 2)
        /// A link leads out of the directory.
        public static let outside = Code(rawValue: 3)
        /// Other users may write to the file, or to a directory on the way to it.
        public static let untrusted = Code(rawValue: 4)
        /// A file was expected, but it is a directory or a special file.
        public static let notAFile = Code(rawValue: 5)
        /// The file is larger than the limit, or a folder has too many files.
        public static let tooLarge = Code(rawValue: 6)
        /// The file is not text in UTF-8, or not the expected JSON.
        public static let invalidContent = Code(rawValue: 7)
        /// The file could not be opened or read; the message includes the system's.
        public static let system = Code(rawValue: 8)
    }

    /// The kind of failure.
    public let code: Code
    /// The name of the component.
    public let component: String
    /// The name of the file or folder, as it was given; empty for the directory of resources itself.
    public let name: String
    /// A sentence that names the file and says what was found and what to do.
    public let message: String

    /// - Parameter reason: a phrase that can follow the name of the file and a colon.
    package init(_ code: Code, component: String, name: String, reason: String) {
        let subject = name.isEmpty ? "the resources" : "the resource \(name.quoted(limit: 200))"
        self.init(code, component: component, name: name, message: "\(subject): \(reason)")
    }

    private init(_ code: Code, component: String, name: String, message: String) {
        self.code = code
        self.component = component
        self.name = name
        self.message = message
    }
}

extension ResourceError: CustomStringConvertible {
    /// The component and the message.
    public var description: String { "\(component): \(message)" }
}

extension ResourceError {
    /// The error in the form that crosses the boundary.
    package var linkError: LinkError {
        let error = LinkError(
            domain: HSLINK_RESOURCES_DOMAIN, number: code.rawValue, message: message,
            details: ["resource": .string(name)])
        return error.naming(className: "", selector: "", component: component)
    }

    /// The error that a host has reported for a resource.
    init(_ error: LinkError?, component: String, name: String) {
        guard let error else {
            self.init(.system, component: component, name: name, reason: "the host gave no reason")
            return
        }
        if error.domain == HSLINK_RESOURCES_DOMAIN {
            self.init(Code(rawValue: error.number), component: component, name: name, message: error.message)
        } else {
            self.init(.system, component: component, name: name, reason: error.message)
        }
    }
}
