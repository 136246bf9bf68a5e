import ComponentKit
import Observation
import SystemSupport

/// A view that has been made from a view model.
///
/// An observation cannot be cancelled; it ends with the first change of what was read. So the state of the view is read
/// along with the view model: when the state changes, the observation ends, and the view model keeps nothing of it.
final class ObservedView: Observable, Sendable {
    enum State {
        /// The page asks again when the view model changes.
        case current
        /// The view has been made again, so that a change concerns the newer one only.
        case renewed
        /// Too many views are observed. The page asks again if it is still shown.
        case forgotten
    }

    /// Where a view is shown, by bytes.
    struct Place: Hashable {
        fileprivate let host: ObjectIdentifier
        fileprivate let names: [ExactText]
        fileprivate var session: Session?
    }

    let context: PageContext
    let session: Session?
    let place: Place
    private let registrar = ObservationRegistrar()
    private let stored = Lock(State.current)

    init(of context: PageContext, host: ObjectIdentifier, session: Session?) {
        self.context = context
        self.session = session
        let names = [context.module, context.page, context.section].map { ExactText($0) }
        place = Place(host: host, names: names, session: session)
    }

    var state: State {
        registrar.access(self, keyPath: \.state)
        return stored.withLock { $0 }
    }

    /// Ends the observation, which reads the new state.
    func end(_ state: State) {
        stored.withLock { $0 = state }
        registrar.withMutation(of: self, keyPath: \.state) {}
    }
}

/// The views that are observed in this component: the last one of each section of a page in each session.
final class ObservedViews: Sendable {
    private struct State {
        var views: [ObservedView.Place: (number: Int, view: ObservedView)] = [:]
        /// Where the views are, by their numbers.
        var places: [Int: ObservedView.Place] = [:]
        var lastNumber = 0
        /// No view has this number or a lower one.
        var lastForgotten = 0
        /// The sections that all sessions are about to be told of.
        var announced: Set<ObservedView.Place> = []

        mutating func remove(_ place: ObservedView.Place) -> ObservedView? {
            guard let (number, view) = views.removeValue(forKey: place) else { return nil }
            places[number] = nil
            return view
        }
    }

    // A view model belongs to no host, and a place names the host. All state is guarded by the lock.
    static let shared = ObservedViews(most: 10_000)

    private let state = Lock(State())
    private let most: Int

    /// - Parameter most: how many views are observed at a time. It should be more than are shown, since a page that is
    ///   shown asks again for a view that is forgotten.
    init(most: Int) { self.most = most }

    /// Keeps a view that is observed from now on, instead of the former one at its place.
    func keep(_ view: ObservedView) {
        let (former, oldest) = state.withLock { state -> (ObservedView?, ObservedView?) in
            let former = state.remove(view.place)
            state.lastNumber += 1
            state.views[view.place] = (state.lastNumber, view)
            state.places[state.lastNumber] = view.place
            guard state.views.count > most else { return (former, nil) }
            while true {
                state.lastForgotten += 1
                guard let place = state.places[state.lastForgotten] else { continue }
                return (former, state.remove(place))
            }
        }
        former?.end(.renewed)
        oldest?.end(.forgotten)
    }

    /// Notes that the observation of a view has ended.
    ///
    /// - Returns: Whether the page is to be told: not of a view that has been made again, nor of a section that it is
    ///   about to be told of anyway.
    func announce(_ view: ObservedView) -> Bool {
        switch view.state {
        case .renewed: return false
        case .forgotten: return true
        case .current:
            return state.withLock { state in
                if state.views[view.place]?.view === view { _ = state.remove(view.place) }
                return state.announced.insert(view.place.ofAllSessions).inserted
            }
        }
    }

    /// Notes that all sessions are being told of a section: a change from now on is another one.
    func beginPost(of view: ObservedView) {
        state.withLock { _ = $0.announced.remove(view.place.ofAllSessions) }
    }
}

extension ObservedView.Place {
    fileprivate var ofAllSessions: ObservedView.Place {
        var copy = self
        copy.session = nil
        return copy
    }
}
