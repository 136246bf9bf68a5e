import ComponentKit
import HTTPTypes
import Hummingbird
import NIOCore
import PageKit

/// Answers requests for pages, their streams and their actions.
struct PageAnswers: Sendable {
    let hubs: PageHubs
    let renderer: PageRenderer
    let sessions: BrowserSessions
    let options: WebOptions
    let notices: Notices
    /// Tells components what has happened on a page.
    let post: @Sendable (PageEvent) -> Void

    private var keys: SessionKeys { sessions.keys }

    // MARK: - Pages

    /// `GET /pages/NAME?VALUES`
    func page(_ id: String, _ request: WebRequest) async throws -> Response {
        // However the values are written, the page is the same.
        let id = PageAddress(id)?.id ?? id
        // Who sends no cookie may never come back: nothing is kept for a session that begins.
        var hub = request.isFirst ? nil : hubs.known(id, of: request.session)
        let token = keys.token(of: request.web)
        if let hub, !request.isReload, !notices.has(request.session), let bytes = await hub.document(token: token) {
            return .html(bytes)
        }
        var page = request.isReload ? nil : await hub?.kept()
        if page == nil {
            let changes = await hub?.changes
            // Fails if there is no such page.
            page = try await Session.with(request.session) { try await hubs.service().page(id: id, after: nil) }
            if hub == nil, !request.isFirst { hub = hubs.hub(id, of: request.session) }
            // A page that is kept from now on has seen no change.
            await hub?.noteAsked(after: changes ?? 0)
        }
        guard let page else { throw WebFailure.notFound }
        let state = try await state(for: request, on: page)
        // Links that no frame keeps up to date are asked for each time.
        guard let hub, state.message == nil, page.hasOnlyLinksOfFrame(above: state.parent) else {
            return .html(hubs.renderer(of: request.session).document(page, state), token: token)
        }
        return .html(await hub.rendered(page, state, token: token))
    }

    /// The contents of a document apart from its page.
    private func state(for request: WebRequest, on page: Page) async throws -> DocumentState {
        // Without an answer, the page is shown with the way home only.
        let around = try? await Session.with(request.session) { try await hubs.service().navigation(from: page.id) }
        return DocumentState(
            site: options.title, navigation: page.hasNavigation ? [] : around?.pages ?? [], parent: around?.parent,
            message: notices.take(request.session), signOut: request.web.isTrusted ? "/sign-out" : nil)
    }

    /// `GET /`
    func first() async throws -> Response {
        let pages = try await hubs.service().pages()
        if pages.contains(where: { $0.id == options.home }) { return .seeOther("/pages/\(options.home)") }
        // One that takes values needs a link that has them.
        let candidates = pages.filter(\.values.isEmpty)
        let candidate = candidates.first { $0.problems.isEmpty } ?? candidates.first
        if let url = candidate.flatMap({ WebPlaces.page($0.id) }) { return .seeOther(url.text) }
        do {
            // Says so if a component has not named its pages in time.
            _ = try await hubs.service().page(id: options.home, after: nil)
            return .seeOther("/pages/\(options.home)")
        } catch PageError.unknownPage {
            throw WebFailure(
                .notFound, "There are no pages yet",
                text: "Put a page file into the folder of pages; 'hslink pages' lists what there is.")
        }
    }

    // MARK: - Streams

    /// `GET /pages/ID/events`
    ///
    /// Why there is no stream is told in JSON. A browser does not show its scripts the answer to a stream that it has
    /// opened, so these ask the same again for `application/json`, which never opens a stream.
    func events(_ id: String, _ request: WebRequest) async throws -> Response {
        // Whoever sends no cookie may never come back, so nothing is kept. A browser comes back with that of the answer.
        guard !request.isFirst else { return .json(.cookieNeeded) }
        var owners: [ShareOwner] = [.session(request.session)]
        if let address = options.client(of: request.channel) { owners.append(.address(address)) }
        guard hubs.streams.take(for: owners) == nil else { throw WebFailure.tooManyPages }
        let place = StreamEnd { [hubs, owners] in hubs.streams.giveBack(for: owners) }
        do {
            guard let hub = hubs.hub(id, of: request.session, forStream: true) else { throw WebFailure.tooManyPages }
            let (events, reader): (AsyncStream<PageHub.Event>, Int)
            do {
                let known = (request.header(.lastEventID) ?? request.query("after")).flatMap { Int($0) }
                (events, reader) = try await hub.events(after: known)
            } catch {
                hubs.forget(id, of: request.session, hub: hub)
                throw error
            }
            // A browser that has gone is noticed even if nothing is written, or the answer is never begun.
            let stream = StreamEnd {
                place.end()
                Task { await hub.leave(reader) }
            }
            guard !request.wantsJSON else {
                stream.end()
                return Response(status: .noContent)
            }
            let token = keys.token(of: request.web)
            let channel = request.channel
            channel.closeFuture.whenComplete { _ in stream.end() }
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: ResponseBody { writer in
                    defer { stream.end() }
                    let isOver: @Sendable () -> Bool = { [sessions] in sessions.isOver(request.web) }
                    try await PageAnswers.send(events, token: token, isOver: isOver, to: &writer)
                    try await writer.finish(nil)
                })
        } catch {
            place.end()
            throw error
        }
    }

    /// Sends events until there are no more, or the session is over.
    @concurrent private static func send(
        _ events: AsyncStream<PageHub.Event>, token: String, isOver: @Sendable () -> Bool,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
        let gone = ByteBuffer(string: "event: gone\ndata: {}\n\n")
        for await event in events {
            // Also if the stream was begun while the session was ending. There is a beat every few seconds.
            if isOver() { return try await writer.write(gone) }
            var text: ByteBuffer
            switch event {
            case .beat: text = ByteBuffer(string: ":\n\n")
            case .gone: text = gone
            case .operations(let operations, let revision):
                // JSON has no line ends.
                text = ByteBuffer(string: "id: \(revision)\ndata: ")
                text.writeBytes(operations.bytes(token: token))
                text.writeString("\n\n")
            }
            try await writer.write(text)
        }
    }

    // MARK: - Actions

    /// `POST /pages/ID/perform`
    func perform(_ id: String, _ form: FormBody, to request: WebRequest) async throws -> Response {
        guard let section = form[FormNames.section], let text = form[FormNames.action],
            let action: Action = try? Payload(json: text).value()
        else { throw WebFailure(.badRequest, "This form cannot be read", text: "It lacks a section or an action.") }
        guard let values = form.values(after: FormNames.fieldPrefix) else { throw WebFailure.malformedForm }
        let state = FormState(section: section, action: action, values: values, reason: "")
        if let question = action.confirmation, form[FormNames.confirmed] != "yes" {
            return try await confirmation(question, of: state, on: id, to: request)
        }
        let (result, current) = try await sessions.offeringRenewal(request) {
            try await hubs.service().perform(page: id, section: section, action: action, values: values)
        }
        guard current.former == nil else { return renewed(result, on: id, to: current) }
        do {
            let outcome = try result.get()
            await hubs.outdate(request.session)
            return try answer(outcome, on: id, to: request)
        } catch {
            return try await refusal(error, of: state, on: id, to: request)
        }
    }

    /// Answers an action that has given the session a new id. Whatever the outcome, the browser loads a page anew: the
    /// tokens in the one that it shows are those of the former session.
    private func renewed(
        _ result: Result<ActionOutcome, any Error>, on id: String, to request: WebRequest
    ) -> Response {
        var page = id
        var message: PageMessage?
        switch result {
        case .success(let outcome):
            page = outcome.page ?? id
            message = OutcomeText.message(of: outcome.value).map { PageMessage(text: $0) }
        case .failure(let error): message = PageMessage(text: WebFailure(error).text, isProblem: true)
        }
        if let message { notices.put(message, request.session) }
        let url = WebPlaces.page(page)?.text ?? "/"
        var response =
            request.wantsJSON ? Response.json(["page": .string(page), "url": .string(url)]) : .seeOther(url)
        sessions.passOn(request, with: &response) { [hubs, former = request.former] in
            if let session = former.flatMap({ try? Session(id: $0.id) }) { hubs.end(session) }
        }
        return response
    }

    /// `POST /pages/ID/happened`
    func happened(_ id: String, _ form: FormBody, to request: WebRequest) async throws -> Response {
        guard let kind = form["kind"].flatMap({ PageEventKind(rawValue: $0) }), let name = form[FormNames.section]
        else { throw WebFailure.malformedForm }
        let id = PageAddress(id)?.id ?? id
        // The section may have gone in the meantime: what is not shown is passed over.
        if let page = await hubs.known(id, of: request.session)?.page,
            let event = PageEvent.told(kind, section: name, tab: form["name"], on: page)
        {
            Session.with(request.session) { post(event) }
        }
        return Response(status: .noContent)
    }

    private func answer(_ outcome: ActionOutcome, on id: String, to request: WebRequest) throws -> Response {
        let message = OutcomeText.message(of: outcome.value)
        if request.wantsJSON {
            var answer: [(String, Payload)] = []
            if let page = outcome.page {
                guard let url = WebPlaces.page(page) else { throw WebFailure.notFound }
                answer += [("page", .string(page)), ("url", .string(url.text))]
            }
            if let message {
                // The next page says it.
                if outcome.page == nil { answer.append(("message", .string(message))) }
            }
            if outcome.page != nil, let message { notices.put(PageMessage(text: message), request.session) }
            return .json(.map(answer))
        }
        if let message { notices.put(PageMessage(text: message), request.session) }
        guard let url = WebPlaces.page(outcome.page ?? id) else { throw WebFailure.notFound }
        return .seeOther(url.text)
    }

    /// Asks before an action is done.
    private func confirmation(
        _ question: String, of form: FormState, on id: String, to request: WebRequest
    ) async throws -> Response {
        if request.wantsJSON { return .json(["confirm": .string(question)]) }
        let page = try await Session.with(request.session) { try await hubs.service().page(id: id, after: nil) }
        let state = ConfirmationState(page: page, section: form.section, action: form.action, values: form.values)
        return .html(
            hubs.renderer(of: request.session).confirmation(state, DocumentState(site: options.title)),
            token: keys.token(of: request.web))
    }

    /// Says why an action was refused: at the field of the form that it was, if it was one.
    private func refusal(
        _ error: any Error, of form: FormState, on id: String, to request: WebRequest
    ) async throws -> Response {
        let failure = WebFailure(error)
        var form = form
        form.reason = failure.text
        if case PageError.invalidValue(let field, let reason) = error {
            form.field = field
            form.reason = reason
        }
        if request.wantsJSON {
            guard let field = form.field else { return .json(failure) }
            return .json(["field": .string(field), "reason": .string(form.reason)], status: failure.status)
        }
        guard failure.status == .unprocessableContent || failure.status == .conflict else { throw failure }
        let page = try await Session.with(request.session) { try await hubs.service().page(id: id, after: nil) }
        var state = try await state(for: request, on: page)
        state.form = form
        return .html(
            hubs.renderer(of: request.session).document(page, state), token: keys.token(of: request.web),
            status: failure.status)
    }
}

extension PageEvent {
    /// What a browser says that a reader has done.
    ///
    /// - Returns: nil for what cannot have happened, because the page shows no such section or tab, or because a browser
    ///   does not know about it.
    static func told(_ kind: PageEventKind, section name: String, tab: String?, on page: Page) -> PageEvent? {
        guard let section = page.section(named: name) else { return nil }
        switch kind {
        case .scrolledTo: return PageEvent(.scrolledTo, page: page.id, section: name)
        case .switched:
            guard let tab, section.view.hasTab(tab) else { return nil }
            return PageEvent(.switched, page: page.id, section: name, name: tab)
        case .appeared, .disappeared, .refreshed, .custom: return nil
        }
    }
}

extension ViewNode {
    /// Whether the view contains a tab with this title.
    fileprivate func hasTab(_ title: String) -> Bool {
        if case .tab(let tab) = content, tab.title.utf8.elementsEqual(title.utf8) { return true }
        return children.contains { $0.hasTab(title) }
    }
}

/// The end of a stream, which happens once.
private final class StreamEnd: Sendable {
    private let leave: Lock<(@Sendable () -> Void)?>

    init(_ leave: @escaping @Sendable () -> Void) { self.leave = Lock(leave) }

    func end() { leave.withLock { $0.take() }?() }
}
