import ComponentKit
import Testing

/// The error that `body` throws, as it is shown to people; nil and an issue when it throws none.
func refusal<Value>(_ body: () throws(PayloadError) -> Value, sourceLocation: SourceLocation = #_sourceLocation)
    -> String?
{
    refusalError(body, sourceLocation: sourceLocation)?.description
}

/// The error that `body` throws; nil and an issue when it throws none.
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
