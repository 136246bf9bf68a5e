public import GRDB
import NXKit

/// Opens a database that lives as long as the process.
public func openDatabase() throws -> DatabaseQueue { try DatabaseQueue() }
