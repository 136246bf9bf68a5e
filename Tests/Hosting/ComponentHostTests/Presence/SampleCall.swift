import ComponentHost
import ComponentKit
import Foundation
import TestSupport

/// A call to one of the components in `Plugins/`, and its outcome if that component is present.
struct SampleCall: Sendable, CustomStringConvertible {
    /// The outcome of a call to a class that is present.
    enum Ending: Sendable {
        case performed
        case failed(LinkError.Code)
    }

    /// The folder in `Plugins/`.
    let component: String
    let className: String
    let selector: String
    var kind = SelectorKind.object
    var payload = Payload.null
    let ending: Ending

    var description: String { "\(selector) of \(className) in \(component)" }

    /// The callback's three parts, as the table of answers has them.
    struct Parts: Equatable {
        let hasValue: Bool
        let performSuccess: Bool
        let classIsLoad: Bool
        let code: LinkError.Code?
    }

    /// Returns the expected answer.
    ///
    /// - Parameter isPresent: Whether the component is present.
    func expected(isPresent: Bool) -> Parts {
        guard isPresent else {
            return Parts(hasValue: false, performSuccess: false, classIsLoad: false, code: .classNotFound)
        }
        switch ending {
        case .performed: return Parts(hasValue: true, performSuccess: true, classIsLoad: true, code: nil)
        case .failed(let code):
            return Parts(hasValue: false, performSuccess: false, classIsLoad: true, code: code)
        }
    }

    private static func sample(_ name: String) -> Payload {
        ["path": Payload(BuiltProducts.packageDirectory.appending(path: "Tests/Samples/\(name)").path)]
    }

    /// One call with each outcome for each component.
    static let all: [SampleCall] = [
        SampleCall(
            component: "ComponentImage", className: "ImageLink", selector: "info", payload: sample("rgb16.png"),
            ending: .performed),
        SampleCall(
            component: "ComponentImage", className: "ImageLink", selector: "info", payload: sample("clip.mp4"),
            ending: .failed(.methodFailed)),
        SampleCall(
            component: "ComponentImage", className: "ImageLink", selector: "info",
            ending: .failed(.payloadMismatch)),
        SampleCall(
            component: "ComponentImage", className: "ImageLink", selector: "paint",
            ending: .failed(.selectorNotFound)),
        // Without NXService there is no web, and with it no such server.
        SampleCall(
            component: "ComponentImage", className: "ImageLink", selector: "fetch",
            payload: ["url": "http://127.0.0.1:1/"], ending: .failed(.methodFailed)),
        SampleCall(component: "NXUI", className: "UILink", selector: "style", ending: .performed),
        SampleCall(
            component: "NXUI", className: "UILink", selector: "icon", payload: ["name": "guest"], ending: .performed),
        SampleCall(
            component: "NXUI", className: "UILink", selector: "icon", payload: ["name": "none"],
            ending: .failed(.methodFailed)),
        SampleCall(
            component: "NXService", className: "WebLink", selector: "get", payload: ["url": "http://127.0.0.1:1/"],
            ending: .failed(.methodFailed)),
        SampleCall(
            component: "NXService", className: "WebLink", selector: "get", ending: .failed(.payloadMismatch)),
        SampleCall(
            component: "ComponentVideo", className: "VideoLink", selector: "probe", payload: sample("clip.mp4"),
            ending: .performed),
        SampleCall(
            component: "ComponentVideo", className: "VideoLink", selector: "probe", payload: ["path": 7],
            ending: .failed(.payloadMismatch)),
        SampleCall(
            component: "ComponentVideo", className: "VideoLink", selector: "probe", kind: .class,
            ending: .failed(.selectorNotFound)),
        SampleCall(
            component: "EMAccount", className: "AccountLink", selector: "currentUser", ending: .performed),
        SampleCall(
            component: "EMAccount", className: "AccountLink", selector: "signIn",
            payload: ["name": "nobody", "password": "no password"], ending: .failed(.methodFailed)),
        SampleCall(
            component: "EMAccount", className: "AccountLink", selector: "signIn", payload: ["name": "nobody"],
            ending: .failed(.payloadMismatch)),
        SampleCall(
            component: "ComponentOwner", className: "OwnerLink", selector: "addAddress",
            payload: ["label": "Home", "street": "12 St James Square", "city": "London"], ending: .performed),
        // Without EMAccount, the owner is the guest, and without NXUI there are other colours.
        SampleCall(component: "ComponentOwner", className: "OwnerLink", selector: "portrait", ending: .performed),
        SampleCall(component: "ComponentOwner", className: "OwnerLink", selector: "profile", ending: .performed),
        SampleCall(
            component: "ComponentOwner", className: "OwnerLink", selector: "address", payload: ["id": 4711],
            ending: .failed(.methodFailed)),
    ]
}
