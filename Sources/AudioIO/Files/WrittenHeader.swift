import CSndFile

/// What the header of a written sound file declares beside encoding and length: channel positions, a sound field,
/// tracks and markers.
package struct WrittenHeader {
    let format: SoundFileFormat
    let channelCount: Int
    /// WAVE bit of each channel; nil if unknown.
    let channelPositions: [UInt32]?
    /// Order of the sound field (ACN, SN3D) in the first channels; nil without a field.
    let fieldOrder: Int?
    /// Markers that are added to a complete WAVE file, or to a take in AIFF.
    package var markers: [SoundFileMarker]
    /// Whether the complete file contains its markers.
    package internal(set) var hasKeptMarkers = false

    init(
        format: SoundFileFormat, channelCount: Int, channelPositions: [UInt32]?, fieldOrder: Int?,
        markers: [SoundFileMarker]
    ) {
        (self.format, self.channelCount) = (format, channelCount)
        (self.channelPositions, self.fieldOrder) = (channelPositions, fieldOrder)
        self.markers = markers
    }

    /// Order of the sound field that the file can declare; nil if it cannot declare one.
    package var toldField: Int? {
        format.isWave ? fieldOrder.flatMap { (1...AllocationChunk.highestOrder).contains($0) ? $0 : nil } : nil
    }

    /// Writes into a new file, before the first sample, the data that libsndfile can write.
    func begin(_ file: OpaquePointer, _ metadata: SoundFileMetadata, trackNames: [String]) {
        metadata.write(to: file, format: format)
        if format.isWave, !trackNames.isEmpty { HeaderChunk.add("iXML", TrackNames.chunk(trackNames), to: file) }
        if let toldField { AllocationChunk.write(fieldOfOrder: toldField, to: file) }
        if let channelPositions, !format.isWave, format != .caf, channelPositions.count == channelCount {
            var map = channelPositions.compactMap { ChannelPositions.names[$0] }
            if map.count == channelCount {
                let size = Int32(channelCount * MemoryLayout<Int32>.size)
                sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, size)
            }
        }
    }

    /// Returns the data that are added to the complete file.
    func rest(isTake: Bool) -> HeaderRest {
        HeaderRest(
            format: format, channelPositions: channelPositions, channelCount: channelCount, markers: markers,
            isTake: isTake)
    }
}
