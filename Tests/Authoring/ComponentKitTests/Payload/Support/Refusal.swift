import ComponentKit
import Testing

/// Returns the error that `body` throws, as human-readable text; returns nil and records an issue if it throws none.
func refusal<Value>(_ body: () throws(PayloadError) -> Value, sourceLocation: SourceLocation = #_sourceLocation)
    -> String?
{
    refusalError(body, sourceLocation: sourceLocation)?.description
}

/// Returns the error that `body` throws; returns nil and records an issue if it throws none.
func refusalError<Value>(
    _ body: () throws(PayloadError) -> Value, sourceLocation: SourceLocation = #_sourceLocation
) -> PayloadError? {
    do {
        let value = try body()
        Issue.record("not refused but \(value)", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}
