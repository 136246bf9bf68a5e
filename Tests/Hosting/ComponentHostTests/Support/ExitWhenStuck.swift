import Foundation
import TestSupport

/// Ends the process with status 3 if it does not end by itself, for code that might wait forever.
func exitWhenStuck(after seconds: TimeInterval = 120) {
    Thread.detachNewThread {
        Thread.sleep(forTimeInterval: seconds * Double(TestPatience.factor))
        exit(3)
    }
}
