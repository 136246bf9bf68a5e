import ComponentKit
import Foundation
import Glibc
import NXKit

/// The pictures in a folder that edits have made, each beside its original.
///
/// A hidden file beside such a picture, `.NAME.edited`, says what it was made from, and what its file was like then. A file
/// that someone has put there or has changed, under whatever name, does not match, and so is never deleted.
struct EditedPictures: Sendable {
    /// What the hidden file says.
    @Model
    struct Record: Hashable, Sendable {
        /// The name of the original's file.
        var original: String
        /// The size of the edited picture's file, in bytes.
        var size: UInt64
        /// When it was written, in nanoseconds since the beginning of 1970.
        var modified: Int64
    }

    /// The absolute path of the folder.
    let folder: String

    /// The most edited pictures in a folder, so that those who may edit cannot fill a disk.
    static let most = 60

    private static let ending = Array(".edited".utf8)
    /// What the names of unfinished files begin with.
    private static let partStart = ".hslink-edit."
    /// Unfinished files that are older were left by a host that ended meanwhile.
    private static let oldestPart = Duration.seconds(3600)
    private static let largestRecord = 4096

    private func path(of name: String) -> String { "\(folder)/\(name)" }

    private func recordPath(of name: String) -> String { "\(folder)/.\(name).edited" }

    /// Returns the name of the file that a picture was made from; nil if no edit has made it, or if it has been changed since.
    func original(of name: String) -> String? {
        guard let record = record(of: name),
            let file = try? FileBytes(path: path(of: name), followingLinks: false)
        else { return nil }
        let isUnchanged = record.size == file.size && record.modified == file.modified.nanoseconds
        return isUnchanged && record.original.isPlainName ? record.original : nil
    }

    /// Reads the hidden file beside a picture; nil if there is none, or if it says anything else.
    private func record(of name: String) -> Record? {
        do {
            let noted = try FileBytes(path: recordPath(of: name), followingLinks: false)
            guard noted.size <= EditedPictures.largestRecord else { return nil }
            return try Payload(json: try noted.read(at: 0, upTo: Int(noted.size))).value()
        } catch {
            return nil
        }
    }

    /// Returns the names of the pictures that were made from one, sorted.
    func versions(of original: String) -> [String] {
        let edited = names().compactMap(EditedPictures.edited).filter(\.isPlainName)
        return edited.sorted().prefix(PictureFolder.mostFiles).filter { name in
            self.original(of: name).map { $0.utf8.elementsEqual(original.utf8) } ?? false
        }
    }

    /// Writes a picture beside its original, under the first name that is free. Never replaces a file, and leaves nothing
    /// behind if it fails.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - original: The name of the original's file.
    ///   - name: Makes the names to try, for the numbers from 1 on.
    /// - Returns: The name of the file.
    /// - Throws: `LinkError` if there are too many edited pictures or if the system cannot write the file, for example because
    ///   the disk is full. The message does not contain the path of the folder.
    func add(
        _ bytes: [UInt8], from original: String, named name: (_ number: Int) -> String
    ) throws(LinkError) -> String {
        guard tidy() < EditedPictures.most else {
            throw EditedPictures.refusal(
                "There are \(EditedPictures.most) edited pictures in the folder. Delete some of them first.")
        }
        do throws(FileError) {
            let part = try write(bytes, called: name(1))
            defer { _ = unsafe unlink(part) }
            for number in 1...EditedPictures.most * 2 {
                let name = name(number)
                // Unlike renaming, this fails if there is such a file.
                if unsafe link(part, path(of: name)) == 0 {
                    try note(name, from: original)
                    return name
                }
                guard errno == EEXIST else { throw FileError(path: name, notBeing: "written", errno: errno) }
            }
        } catch {
            throw EditedPictures.refusal("The picture is not edited: \(error.message)")
        }
        throw EditedPictures.refusal("There are too many files with such a name. Delete some of them first.")
    }

    /// Deletes a picture that an edit has made.
    ///
    /// - Returns: The name of the original's file.
    /// - Throws: `LinkError` if no edit has made it, if it has been changed since, or if it cannot be deleted.
    func remove(_ name: String) throws(LinkError) -> String {
        guard let original = original(of: name) else {
            throw EditedPictures.refusal("This is not an edited picture, or it has been changed or deleted meanwhile.")
        }
        guard unsafe unlink(path(of: name)) == 0 else {
            throw EditedPictures.refusal(FileError(path: name, notBeing: "deleted", errno: errno).message)
        }
        _ = unsafe unlink(recordPath(of: name))
        return original
    }

    /// Writes the hidden file beside a new picture. Without it, the picture would stay for ever, so it goes as well then.
    private func note(_ name: String, from original: String) throws(FileError) {
        do throws(FileError) {
            let file = try FileBytes(path: path(of: name), followingLinks: false)
            let record = Record(original: original, size: file.size, modified: file.modified.nanoseconds)
            let text: String
            do throws(PayloadError) {
                text = try record.payload.json()
            } catch {
                throw FileError(.unsupported, path: name, error.description)
            }
            let part = try write(Array(text.utf8), called: name)
            defer { _ = unsafe unlink(part) }
            // Unlike renaming, this fails if there is such a file, which is not ours.
            guard unsafe link(part, recordPath(of: name)) == 0 else {
                throw FileError(path: name, notBeing: "written", errno: errno)
            }
        } catch {
            _ = unsafe unlink(path(of: name))
            throw error
        }
    }

    /// Writes an unfinished file, and returns its path.
    private func write(_ bytes: [UInt8], called name: String) throws(FileError) -> String {
        let part = path(of: EditedPictures.partStart + UUID().uuidString)
        try PictureFile.create(bytes, at: part, called: name)
        return part
    }

    /// Removes what hosts have left that ended meanwhile, and the hidden files of pictures that someone has deleted.
    ///
    /// - Returns: How many hidden files there are now.
    private func tidy() -> Int {
        let names = names()
        let present = Set(names.map { Array($0.utf8) })
        var count = 0
        for name in names {
            if let edited = EditedPictures.edited(name) {
                if present.contains(Array(edited.utf8)) {
                    count += 1
                } else if record(of: edited) != nil {
                    _ = unsafe unlink(path(of: name))
                }
            } else if name.utf8.starts(with: EditedPictures.partStart.utf8), isOld(name) {
                _ = unsafe unlink(path(of: name))
            }
        }
        return count
    }

    private func isOld(_ name: String) -> Bool {
        do {
            let modified = try FileBytes(path: path(of: name), followingLinks: false).modified
            return Duration.seconds(time(nil)) - modified > EditedPictures.oldestPart
        } catch {
            return false
        }
    }

    /// The names of all files, also of those that are hidden.
    private func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    /// Returns the name of the picture that a hidden file is about; nil for any other file.
    private static func edited(_ hidden: String) -> String? {
        let bytes = Array(hidden.utf8)
        guard bytes.first == UInt8(ascii: "."), bytes.count > ending.count + 1,
            bytes.suffix(ending.count).elementsEqual(ending)
        else { return nil }
        return String(decoding: bytes.dropFirst().dropLast(ending.count), as: UTF8.self)
    }

    private static func refusal(_ message: String) -> LinkError {
        LinkError(domain: "ComponentImage", number: 3, message: message)
    }
}

extension Duration {
    /// The time in whole nanoseconds.
    fileprivate var nanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
