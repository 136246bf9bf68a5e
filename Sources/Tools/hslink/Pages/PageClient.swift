import ComponentHost
import ComponentKit
import HostControl
import PageKit

/// Calls the service of pages of a host: of one in this process, or of a running one.
struct PageClient: Sendable {
    enum Place: Sendable {
        case local(LinkHost)
        case remote(ControlClient)
    }

    private let place: Place
    private let className: String

    /// Whether the host is one of this process, which ends with it.
    var isLocal: Bool { if case .local = place { true } else { false } }

    /// The service that composes pages.
    private static let service = "org.hslink.pages/1"

    /// Finds the class that provides the service.
    ///
    /// - Throws: ``PageFailure`` if there is none, or `ControlError` if the host cannot be reached.
    init(_ place: Place, timeout: Duration? = nil) async throws {
        self.place = place
        do {
            let answer = try await PageClient.call(
                place, className: "hslink.Services", selector: "find",
                payload: ["service": .string(PageClient.service)], kind: .class, timeout: timeout)
            className = try answer.string("class")
        } catch let error as PageFailure {
            // If there is a provider that cannot be used, the host says why.
            let isProvided = (try? await PageClient.isDeclared(at: place, timeout)) ?? true
            throw isProvided
                ? error
                : PageFailure(
                    "no component provides pages (\(PageClient.service)): "
                        + "put libComponentPages.so into the plugin directory")
        } catch let error as PayloadError {
            throw PageFailure("the host's answer about \(PageClient.service) cannot be understood: \(error)")
        }
    }

    // MARK: - Functions of the service

    /// Returns all pages that are known.
    func pages(timeout: Duration? = nil) async throws -> [PageSummary] {
        try await value(of: "pages", .null, timeout)
    }

    /// Returns all page modules.
    func modules() async throws -> [PageModuleSummary] { try await value(of: "modules", .null, nil) }

    /// Returns a page.
    ///
    /// - Parameters:
    ///   - revision: the revision that the caller has, to wait for another one for up to 20 seconds; nil for the page as
    ///     it is now.
    ///   - timeout: how long the answer may take.
    func page(_ id: String, after revision: Int?, timeout: Duration?) async throws -> Page {
        let after = revision.map { Payload($0) } ?? .null
        return try await value(of: "page", ["id": .string(id), "after": after], timeout)
    }

    /// Returns a page as soon as it is known whether it shows a section, and what that shows.
    func page(_ id: String, with section: String, timeout: Duration) async throws -> Page {
        try await value(of: "settledPage", ["id": .string(id), "section": .string(section)], timeout)
    }

    /// Performs an action of a section.
    func perform(
        _ action: Action, of section: String, on page: String, values: [String: String], timeout: Duration?
    ) async throws -> ActionOutcome {
        let payload: Payload = [
            "page": .string(page), "section": .string(section), "action": action.payload, "values": values.payload,
        ]
        return try await value(of: "perform", payload, timeout)
    }

    private func value<Value: PayloadConvertible>(
        of selector: String, _ payload: Payload, _ timeout: Duration?
    ) async throws -> Value {
        let answer = try await PageClient.call(
            place, className: className, selector: selector, payload: payload, kind: .object, timeout: timeout)
        do throws(PayloadError) {
            return try answer.value()
        } catch {
            throw PageFailure("the answer of \(selector) of \(className) cannot be understood: \(error)")
        }
    }

    // MARK: - Calls

    private static func call(
        _ place: Place, className: String, selector: String, payload: Payload, kind: SelectorKind, timeout: Duration?
    ) async throws -> Payload {
        switch place {
        case .local(let host):
            do throws(LinkError) {
                return try await host.call(className, selector, payload, kind: kind, timeout: timeout)
            } catch {
                throw PageFailure(error, className: className, selector: selector)
            }
        case .remote(let client):
            let call = CallDescription(className, selector, payload, kind: kind, timeout: timeout)
            switch try await client.call(call) {
            case .returned(let answer): return answer
            case .failed(let error): throw PageFailure(error, className: className, selector: selector)
            case .notSendable(let error):
                throw PageFailure("performed, but the result cannot leave the host's process: \(error)")
            }
        }
    }

    /// Whether the manifest of a component, also of one that is disabled, declares that it provides the service.
    private static func isDeclared(at place: Place, _ timeout: Duration?) async throws -> Bool {
        let catalog =
            switch place {
            case .local(let host): host.catalog
            case .remote(let client): try await client.catalog(within: timeout)
            }
        return catalog.entries.contains { $0.manifest.classes.contains { $0.provides.contains(service) } }
    }
}

/// Why a page cannot be shown, or an action was not performed.
struct PageFailure: Error {
    /// A sentence; not escaped.
    let message: String
    /// Whether the call took longer than it was allowed to.
    var isLate = false
    /// Whether the call ended before its method returned, so that the method may still be running.
    var isEndedFromOutside = false

    init(_ message: String) { self.message = message }

    /// - Parameter error: the error of a call of the class and selector.
    init(_ error: LinkError, className: String, selector: String) {
        // A model describes itself; which function threw it says nothing to people who use pages.
        message =
            error.original is PageError || error.domain == "model"
            ? error.message : CallError(error.naming(className: className, selector: selector, component: "")).text
        isLate = error.code == .deadlineExceeded
        isEndedFromOutside = isLate || error.code == .cancelled
    }
}
