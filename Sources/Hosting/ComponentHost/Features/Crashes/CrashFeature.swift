import CHostThread
import ComponentCatalog
import ComponentKit
import Glibc
import SystemSupport

/// Names the component in which the process crashes, and remembers the crashes of earlier hosts with the same data
/// directory.
final class CrashFeature: HostFeature {
    static var place: Int { 3 }

    private struct State {
        /// The host, for its log.
        weak var core: HostCore?
        /// The crashes since a host last stopped in order.
        var records: [CrashRecord] = []
        /// Those of the last hour, by component.
        var recent: [ExactText: Int] = [:]
        /// The open note; -1 for none.
        var note: Int32 = -1
    }

    /// A component that has crashed its host so often within an hour is not loaded.
    private static let limit = 3

    private let reports: CrashReports
    /// The error of the system if no handlers could be installed; 0 if they could.
    private let installation: Int32
    private let state = Lock(State())

    init(_ reports: CrashReports) {
        self.reports = reports
        guard reports != .off, let offset = MemoryLayout<MethodEntry>.offset(of: \.crashText) else {
            installation = 0
            return
        }
        // Before the host makes threads, which get a stack for signals.
        installation = hslink_crash_install(reports == .json ? 1 : 0, UInt64(offset))
    }

    func ready(in core: HostCore) {
        state.withLock { $0.core = core }
        if installation != 0 {
            core.log(.warning, "crashes are not reported: \(systemMessage(installation))")
        }
    }

    /// Opens the note of crashes, logs what earlier hosts have left there, and lets crashes be added.
    ///
    /// - Parameters:
    ///   - directory: the data directory, which the host has claimed.
    ///   - path: its path.
    func open(in directory: Int32, _ path: String) {
        guard reports != .off else { return }
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let note = unsafe openat(directory, ".host.crashes", flags, 0o600)
        if let reason = note < 0 ? "the system could not open it: \(systemMessage(errno))" : CrashFeature.flaw(note) {
            if note >= 0 { close(note) }
            state.withLock { $0.core }?.log(
                .warning, "crashes leave no note in \(path)/.host.crashes: \(reason); remove it and restart the host")
            return
        }
        let records = CrashRecord.all(in: CrashFeature.read(note))
        let now = Timestamp.now
        let recent = Dictionary(grouping: records.filter { $0.isWithinHour(of: now) }) { ExactText($0.component) }
        let core = state.withLock { state in
            state.records = records
            state.recent = recent.mapValues(\.count)
            state.note = note
            hslink_crash_add_note(note)
            return state.core
        }
        for (component, crashes) in Dictionary(grouping: records, by: { ExactText($0.component) }) {
            guard let last = crashes.last else { continue }
            let count = crashes.count == 1 ? "once" : "\(crashes.count) times"
            core?.options.log(
                .error,
                "has crashed its host \(count) since the last orderly stop, most recently: \(last.sentence); install a "
                    + "corrected version, or disable it with host.components.\(component.text).enabled: false",
                component: component.text)
        }
    }

    /// Returns why a file is not the host's own; nil if it is. An orderly stop empties the note, which must not be
    /// another name of a file of someone's.
    static func flaw(_ note: Int32) -> String? {
        var status = stat()
        guard unsafe fstat(note, &status) == 0 else {
            return "the system could not inspect it: \(systemMessage(errno))"
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a regular file" }
        return status.st_nlink > 1 ? "it has other names, too" : nil
    }

    /// Returns the end of a note. One that has grown long is emptied.
    static func read(_ note: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let start = max(0, lseek(note, 0, SEEK_END) - bytes.count)
        let count = unsafe pread(note, &bytes, bytes.count, start)
        if count == bytes.count { ftruncate(note, 0) }
        return Array(bytes.prefix(max(0, count)))
    }

    /// How and when a component last crashed an earlier host; nil if it did not since the last orderly stop.
    func last(of component: String) -> String? {
        state.withLock { $0.records.last { $0.component.isExactly(component) }?.sentence }
    }

    func check(_ unit: ComponentUnit) throws(LinkError) {
        let count = state.withLock { $0.recent[ExactText(unit.name)] ?? 0 }
        guard count >= CrashFeature.limit, let last = last(of: unit.name) else { return }
        throw LinkError(
            .createFailed,
            message: "it has crashed its host \(count) times within an hour, most recently: \(last); install a "
                + "corrected version, then 'hslink call hslink.Host retry component=\(unit.name) --host SOCKET' or a "
                + "restart after an orderly stop tries it again")
    }

    func retrying(_ unit: ComponentUnit) { state.withLock { $0.recent[ExactText(unit.name)] = nil } }

    func stopped(_ report: StopReport, in core: HostCore) {
        let note = state.withLock { state in
            defer { state.note = -1 }
            return state.note
        }
        guard note >= 0 else { return }
        ftruncate(note, 0)
        // A component that is still running may still crash, and the process keeps the directory.
        guard report.stillRunning.isEmpty else { return }
        hslink_crash_forget_note(note)
        close(note)
    }
}
