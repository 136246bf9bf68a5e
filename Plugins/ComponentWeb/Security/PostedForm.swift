/// The form of a POST. Each POST of a browser is read and checked here, before its route.
enum PostedForm: Sendable {
    /// A page of this host has sent it, in the same session.
    case own(FormBody)
    /// It does not have the token of the session: another site may have made the browser send it, or the session has
    /// ended meanwhile.
    case foreign(FormBody)

    /// - Throws: ``WebFailure`` if the request has no form that can be read.
    init(of request: WebRequest, _ keys: SessionKeys) async throws {
        let form = try await request.form()
        self = keys.accept(form, in: request.web) ? .own(form) : .foreign(form)
    }
}
