import Foundation

/// Ends the process with status 3 when it is not over by itself: for code that may wait for ever.
func exitWhenStuck(after seconds: TimeInterval = 120) {
    Thread.detachNewThread {
        Thread.sleep(forTimeInterval: seconds)
        exit(3)
    }
}
