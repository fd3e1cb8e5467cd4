import CSndFile

/// Encoding and channels of a sound file, as its header declares them. The encoding of a file without a header is that
/// of its description (`RawSound`).
package struct SoundFileHeader: Sendable {
    /// Container and encoding, in libsndfile's words, such as `WAV (Microsoft), 24 bit PCM`.
    package let encodingName: String
    /// Loudspeaker position of each channel that is read, as bits of WAVE_FORMAT_EXTENSIBLE's mask, in the order of
    /// reading. Nil if they are not declared. `Layout.forFile(channelPositions:…)` uses them.
    package let channelPositions: [UInt32]?
    /// Whether the header declares B-format in Furse-Malham's order and scale (`.amb`).
    package let isBFormat: Bool
    /// Chunks that describe the tracks; nil without such chunks.
    package let model: ModelChunks?

    /// Reads what the header declares.
    ///
    /// - Parameters:
    ///   - file: libsndfile's handle of the open file.
    ///   - info: libsndfile's description of the file.
    ///   - container: libsndfile's code of the container, by which the positions are found. It differs from that in
    ///     `info` if libsndfile reads a WAVE file as one without a header.
    ///   - selection: Indices of the file's channels that are read; nil if all are read in order.
    ///   - chunks: Chunks of the container; nil without a header, or if the container is none of `SoundContainer`.
    init(
        of file: OpaquePointer, _ info: SF_INFO, container: Int32, selection: [Int]?, chunks: FileChunks?,
        descriptor: Int32
    ) {
        let channels = Int(info.channels)
        let positions = ChannelPositions.read(file, format: container, channels: channels, descriptor: descriptor)
        if let selection, let positions, positions.count == channels {
            channelPositions = selection.map { positions[$0] }
        } else {
            channelPositions = selection == nil ? positions : nil
        }
        model = chunks.flatMap { ModelChunks($0, descriptor: descriptor) }
        isBFormat = chunks.map { BFormat.isSaid(by: $0, descriptor: descriptor) } ?? false
        encodingName = Self.encodingName(info.format)
    }

    private static func encodingName(_ format: Int32) -> String {
        let names = [Int(format) & SF_FORMAT_TYPEMASK, Int(format) & SF_FORMAT_SUBMASK].compactMap { part -> String? in
            var info = SF_FORMAT_INFO()
            info.format = Int32(part)
            let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
            guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, size) == 0 else { return nil }
            return info.name.map { String(cString: $0) }
        }
        return names.joined(separator: ", ")
    }
}
