import NXKit
import TestSupport
import Testing

@testable import ComponentVideo

/// Describes a file with the given content.
func read(_ bytes: [UInt8], limits: VideoLimits = .standard) throws -> Film {
    let file = try TemporaryFile(bytes)
    return try Film.read(path: file.path, limits: limits)
}

/// The error for a file with the given content.
func refusal(_ bytes: [UInt8], limits: VideoLimits = .standard) throws -> FileError? {
    let file = try TemporaryFile(bytes)
    return refusal(path: file.path, limits: limits)
}

/// The error for the file at `path`.
func refusal(path: String, limits: VideoLimits = .standard) -> FileError? {
    do throws(FileError) {
        let info = try Film.read(path: path, limits: limits)
        Issue.record("\(path) was described as \(info)")
        return nil
    } catch {
        return error
    }
}
