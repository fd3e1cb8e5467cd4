import AudioIO
import Signal
import Soundstage

/// Identification of the measured sound in a metadata file.
extension ProgrammeMetadata.Sound {
    /// Greatest count of hashed sections, from the first frame to the last, and the length of one, frames.
    private static let stretches = 256, stretch = 1024

    /// Hashes a file's samples: all samples of a file of up to 2¹⁸ frames; of a longer file 2¹⁸ frames in evenly spread
    /// sections. Equal samples have the same hash in every format. The reader is at its first frame afterwards. Takes
    /// some milliseconds, in compressed formats some tens.
    ///
    /// - Throws: errors of reading.
    package init(of reader: SoundFileReader) throws(SoundFileError) {
        let block = PlanarBlock(channels: reader.channelCount, frames: Self.stretch)
        var hash = SHA256()
        let last = max(0, reader.frameCount - Self.stretch)
        let isWhole = reader.frameCount <= Self.stretches * Self.stretch
        let count = isWhole ? (reader.frameCount + Self.stretch - 1) / Self.stretch : Self.stretches
        for index in 0..<count {
            try reader.seek(to: isWhole ? index * Self.stretch : last * index / (count - 1))
            let frames = try reader.read(into: block, frames: Self.stretch)
            for channel in 0..<reader.channelCount {
                hash.add(UnsafeRawBufferPointer(start: block[channel], count: frames * MemoryLayout<Float>.size))
            }
        }
        try reader.seek(to: 0)
        self.init(frames: reader.frameCount, sha256: hash.finish())
    }
}
