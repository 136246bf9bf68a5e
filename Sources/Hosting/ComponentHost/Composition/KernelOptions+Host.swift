import ComponentKit
import Logging

extension KernelOptions {
    /// - Parameters:
    ///   - recentLog: keeps the lines that the logger's level lets through.
    ///   - times: keeps how long components take; nil if no one wants to know.
    init(_ options: HostOptions, recentLog: RecentLog, times: TimeRecorder?) {
        self.init(
            trust: options.trust, allowsOtherCompilers: options.allowsOtherCompilers,
            refusesUndeclaredKeys: options.refusesUndeclaredKeys, watchesCalls: options.slowCallThreshold != nil,
            stuckLimit: options.stuckLimit, stuckPatience: options.stuckPatience,
            concurrencyLimit: options.concurrencyLimit, threadLimit: options.threadLimit,
            sleeperLimit: options.sleeperLimit, callerThreadLimit: options.callerThreadLimit,
            startPatience: options.startPatience, contract: options.contract,
            recordTime: times?.add
        ) { [logger = options.logger] level, message, component in
            let level = Logger.Level(level)
            if level >= logger.logLevel { recentLog.add(level.rawValue, message, component: component) }
            logger.log(level: level, "\(message)", metadata: ["component": "\(component)"])
        }
    }
}

extension Logger.Level {
    fileprivate init(_ level: LogLevel) {
        self =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}
