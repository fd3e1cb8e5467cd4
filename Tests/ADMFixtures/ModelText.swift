/// Texts for `axml`, as writers make them: inside EBU Core, with a channel format for each track.
package struct ModelText {
    private var elements: [String] = []
    private var rows: [ModelFile.Row] = []

    /// Creates an empty text.
    package init() {}

    /// The rows for `chna`.
    package var allocation: [ModelFile.Row] { rows }

    /// Returns the document; `inside` contains further elements.
    package func document(_ inside: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <ebuCoreMain xmlns="urn:ebu:metadata-schema:ebuCore_2014"><coreMetadata><format><audioFormatExtended>
        \(elements.joined(separator: "\n"))
        \(inside)
        </audioFormatExtended></format></coreMetadata></ebuCoreMain>
        """
    }

    /// Adds an object with tracks of the common definitions.
    package mutating func bed(_ name: String, _ tracks: [(track: Int, format: String)], pack: String) {
        for (track, format) in tracks { rows.append(ModelFile.Row(track, format, pack)) }
        object(name, tracks.map(\.track), pack: pack)
    }

    /// Adds an object of any kind of sound with its own tracks, each with a channel format. `block` returns the content
    /// of a track's block.
    package mutating func sound(
        _ name: String, type: String, _ tracks: [Int], label: String = "", block: (Int) -> String = { _ in "" }
    ) {
        for track in tracks {
            let number = type + ModelFile.hex(0x1000 + track).suffix(4)
            rows.append(ModelFile.Row(track, "AT_\(number)_01", "AP_\(type)1001"))
            elements.append(
                """
                <audioChannelFormat audioChannelFormatID="AC_\(number)" audioChannelFormatName="\(name) \(track)" \
                typeLabel="\(type)"><audioBlockFormat audioBlockFormatID="AB_\(number)_00000001">\(block(track))\
                </audioBlockFormat>\(label)</audioChannelFormat>
                <audioStreamFormat audioStreamFormatID="AS_\(number)" audioStreamFormatName="x" formatLabel="0001">\
                <audioChannelFormatIDRef>AC_\(number)</audioChannelFormatIDRef></audioStreamFormat>
                <audioTrackFormat audioTrackFormatID="AT_\(number)_01" audioTrackFormatName="x" formatLabel="0001">\
                <audioStreamFormatIDRef>AS_\(number)</audioStreamFormatIDRef></audioTrackFormat>
                """)
        }
        object(name, tracks, pack: "AP_\(type)1001")
    }

    /// Adds an object with this name and these tracks.
    package mutating func object(_ name: String, _ tracks: [Int], pack: String, inside: String = "") {
        let number = ModelFile.hex(0x1001 + elements.count).suffix(4)
        let references = tracks.map { "<audioTrackUIDRef>ATU_\(ModelFile.hex($0))</audioTrackUIDRef>" }.joined()
        elements.append(
            """
            <audioObject audioObjectID="AO_\(number)" audioObjectName="\(name)">\
            <audioPackFormatIDRef>\(pack)</audioPackFormatIDRef>\(references)\(inside)</audioObject>
            """)
    }
}
