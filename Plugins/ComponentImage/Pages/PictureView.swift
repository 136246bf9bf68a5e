import ComponentImageContract
import ComponentKit
import NXKit
import PageKit

/// How the page of a picture looks.
enum PictureView {
    /// Returns the id of the page of a picture; that of the gallery if the names are too long for an id.
    static func page(of name: String, in directory: String) -> String {
        var values: [String: Payload] = ["name": .string(name)]
        if !directory.utf8.elementsEqual(PictureValues.usualDirectory.utf8) { values["directory"] = .string(directory) }
        let id = PageAddress(name: "picture", values: values).id
        return id.utf8.count <= PageAddress.longest ? id : "gallery"
    }

    /// What calls about a picture take.
    private static func parameters(_ name: String, _ directory: String) -> [String: Payload] {
        ["name": .string(name), "directory": .string(directory)]
    }

    /// The picture, what is known of it, and what was made from it.
    static func details(_ details: PictureDetails, _ progress: [PictureEditor.Progress]) -> some View {
        let picture = details.picture
        return Card(picture.name) {
            if let content = picture.content {
                Image(.bytes(content.bytes, type: content.type), describing: picture.name)
            } else {
                Icon("picture")
            }
            if let problem = picture.problem { Text("The picture cannot be read: \(problem).", style: .warning) }
            for edit in progress { ProgressBar(edit.label, fraction: edit.fraction) }
            facts(details).key("facts")
            if !details.versions.isEmpty { versions(details).key("versions") }
            if details.original != nil {
                Button("Undo", deletion(of: details.picture.name, in: details.directory), role: .destructive)
                    .key("undo")
            }
        }
    }

    private static func facts(_ details: PictureDetails) -> some View {
        List {
            if let info = details.picture.info {
                Row("Size", detail: "\(details.width) × \(details.height) pixels").key("size")
                Row("Format", detail: info.format.rawValue.uppercased()).key("format")
                Row("Colours", detail: colours(info)).key("colours")
                Row("File", detail: details.picture.size.fileSize).key("file")
            }
            if let original = details.original {
                Row("Edited from", detail: original).key("original")
                    .action(.show(page: page(of: original, in: details.directory)))
            }
        }
    }

    private static func colours(_ info: ImageInfo) -> String {
        var words = ["\(info.channels) × \(info.bitDepth) bits"]
        if info.paletteBitDepth != nil { words.append("from a palette") }
        if info.hasAlpha { words.append("transparent in parts") }
        if info.isAnimated == true { words.append("animated") }
        return words.joined(separator: ", ")
    }

    /// The pictures that were made from this one.
    private static func versions(_ details: PictureDetails) -> some View {
        List("Edited versions") {
            for (name, key) in zip(details.versions, details.versions.uniqueKeys) {
                Row(name).key(key)
                    .action(.show(page: page(of: name, in: details.directory)))
                    .side(deletion(of: name, in: details.directory))
            }
        }
    }

    private static func deletion(of name: String, in directory: String) -> Action {
        .call(
            "undo", parameters(name, directory), title: "Delete",
            confirm: "Delete the edited picture \(name)? The original stays.", role: .destructive)
    }

    /// What can be done with a picture.
    static func edits(_ details: PictureDetails) -> some View {
        let parameters = parameters(details.picture.name, details.directory)
        return Stack {
            Text("The edited picture becomes a new file. This one stays as it is.", style: .caption)
            Form("Crop", .call("crop", parameters), title: "Crop") {
                pixels("x", "From the left", in: 0...details.width - 1, value: 0)
                pixels("y", "From the top", in: 0...details.height - 1, value: 0)
                pixels("width", "Width", in: 1...details.width, value: details.width)
                pixels("height", "Height", in: 1...details.height, value: details.height)
            }
            .key("crop")
            Form("Rotate", .call("rotate", parameters), title: "Rotate") {
                Field("degrees", "Degrees", .number(least: -360, most: 360), value: .double(90)).required()
                    .help("Counterclockwise. Other angles than quarter turns leave corners without a picture.")
            }
            .key("rotate")
            Form("Convert", .call("convert", parameters), title: "Another format") {
                let choices = PictureFormat.allCases.map {
                    FieldChoice(value: $0.rawValue, title: $0.rawValue.uppercased())
                }
                Field("format", "Format", .choice(choices), value: .string(PictureFormat.png.rawValue)).required()
            }
            .key("convert")
            Form("Make thumbnail", .call("thumbnail", parameters), title: "Thumbnail") {
                let longest = max(details.width, details.height)
                pixels("longest", "Longest side", in: 1...longest, value: min(longest, 256))
            }
            .key("thumbnail")
            Button("Convert to grayscale", .call("grayscale", parameters)).key("grayscale")
        }
    }

    /// A field for a number of pixels.
    private static func pixels(_ name: String, _ label: String, in range: ClosedRange<Int>, value: Int) -> Field {
        Field(
            name, label, .integer(least: range.lowerBound, most: range.upperBound), value: value.payload
        ).required().help("In pixels, \(range.lowerBound) to \(range.upperBound).")
    }
}
