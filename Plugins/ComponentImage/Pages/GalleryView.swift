import ComponentImageContract
import NXKit
import PageKit

/// How a folder of pictures looks.
enum GalleryView {
    /// - Parameters:
    ///   - gallery: what is in the folder.
    ///   - folder: the name of the folder.
    static func view(_ gallery: Gallery, of folder: String) -> some View {
        guard !gallery.pictures.isEmpty else { return Placeholder("There are no pictures in \(folder).").node }
        return Stack {
            Grid(columns: 3) {
                for (picture, key) in zip(gallery.pictures, gallery.pictures.map(\.name).uniqueKeys) {
                    card(picture, in: folder).key(key)
                }
            }
            .key("pictures")
            if let remark = gallery.remark { Text(remark, style: .caption).key("remark") }
        }.node
    }

    /// The small view of a picture, which leads to its page.
    private static func card(_ picture: Gallery.Picture, in folder: String) -> Card {
        Card(picture.name) {
            if let content = picture.content {
                Image(.bytes(content.bytes, type: content.type), describing: picture.name)
            } else {
                Icon("picture")
            }
            if let info = picture.info {
                let size = "\(info.width) × \(info.height)"
                Text("\(size), \(info.format.rawValue.uppercased()), \(picture.size.fileSize)", style: .caption)
            }
            if let problem = picture.problem { Text("The picture cannot be read: \(problem).", style: .warning) }
        }
        .action(.show(page: PictureView.page(of: picture.name, in: folder)))
    }
}

extension UInt64 {
    /// The size of a file in words, as in "1.2 MB".
    var fileSize: String {
        let units: [(UInt64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
        guard let (unit, name) = units.first(where: { self >= $0.0 }) else { return "\(self) bytes" }
        return "\(self / unit).\(self % unit * 10 / unit) \(name)"
    }
}
