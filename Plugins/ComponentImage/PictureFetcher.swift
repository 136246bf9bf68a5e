import ComponentImageContract
import ComponentKit
import Foundation
import NXKit
import NXServiceContract
import NXUIContract

/// Fetches pictures from the web into the component's cache directory.
struct PictureFetcher: Sendable {
    private let web: ServiceFinder<WebServiceClient>
    private let ui: ServiceFinder<UIServiceClient>
    private let folder: CacheFolder

    /// The largest picture, in bytes.
    private static let maximumBytes = 16 << 20
    /// The space for all pictures, in bytes.
    private static let space = 128 << 20

    init(_ context: ComponentContext) {
        web = ServiceFinder(context.link)
        ui = ServiceFinder(context.link)
        folder = CacheFolder("pictures", limit: PictureFetcher.space) { try context.cacheDirectory() }
    }

    func fetch(_ url: String, placeholder: Bool) async throws -> FetchedPicture {
        let failure: ImageError
        do {
            let document = try await document(url)
            return try await picture(document.body, document.fileName, reason: document.staleReason, of: url)
        } catch let error as ImageError where placeholder {
            failure = error
        }
        do {
            let icon = try await ui.client().placeholder()
            return try await picture(
                icon.data, "placeholder", reason: failure.description, of: "NXUI", isPlaceholder: true)
        } catch {
            ui.forget()
            try rethrowEnd(error)
            // Why there is no picture says more than why there is no placeholder.
            throw failure
        }
    }

    private func document(_ url: String) async throws -> WebDocument {
        let client: WebServiceClient
        do throws(LinkError) {
            client = try await web.client()
        } catch {
            try rethrowEnd(error)
            throw ImageError.noWeb(reason: error.message)
        }
        do {
            return try await client.get(url: url, maximumBytes: PictureFetcher.maximumBytes)
        } catch let error as WebError {
            throw ImageError.notFetched(reason: error.description)
        } catch {
            web.forget()
            try rethrowEnd(error)
            let error = LinkError(thrown: error)
            throw error.code == .classNotFound
                ? ImageError.noWeb(reason: error.message) : ImageError.notFetched(reason: error.message)
        }
    }

    /// Writes a picture to the cache, and describes it.
    private func picture(
        _ data: Data, _ name: String, reason: String?, of source: String, isPlaceholder: Bool = false
    ) async throws -> FetchedPicture {
        do {
            let (path, info) = try await folder.write(data, to: name) { try ImageInfo.read(path: $0) }
            return FetchedPicture(path: path, info: info, reason: reason, isPlaceholder: isPlaceholder)
        } catch let error as FileError {
            throw ImageError.notAPicture(reason: "what \(source) sent is not a picture: \(error.message)")
        } catch {
            try rethrowEnd(error)
            throw ImageError.notWritten(reason: LinkError(thrown: error).message)
        }
    }

    /// Throws the error again if it means that the call has ended, rather than failed.
    private func rethrowEnd(_ error: any Error) throws {
        if error is CancellationError { throw error }
        if let error = error as? LinkError, [.stopped, .cancelled, .deadlineExceeded].contains(error.code) {
            throw error
        }
    }
}
