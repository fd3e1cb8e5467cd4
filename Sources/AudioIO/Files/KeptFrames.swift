import Signal

/// Section of a programme that is written to a file. All frames from the first on are rendered, so that filters,
/// dynamics and dither have the same history as without the section. Frames outside the section are dropped.
package struct KeptFrames: Sendable {
    /// Frames of the section, counted from the programme's first frame.
    package let range: Range<Int>
    /// Number of frames passed so far.
    package private(set) var position = 0

    /// Makes the section. The position is the first frame of the programme.
    package init(_ range: Range<Int>) { self.range = range }

    /// Whether no later frame belongs to the section.
    package var isDone: Bool { position >= range.upperBound }

    /// Share of the work done, 0…1.
    package var share: Double { range.upperBound > 0 ? min(1, Double(position) / Double(range.upperBound)) : 1 }

    /// Passes the next `count` frames. Returns the range of those that belong to the section, as offsets from the first
    /// of the `count` frames. The range may be empty.
    package mutating func next(_ count: Int) -> Range<Int> {
        let first = position
        position += count
        let begin = max(first, min(position, range.lowerBound))
        let end = max(begin, min(position, range.upperBound))
        return (begin - first)..<(end - first)
    }
}

extension SoundFileWriter {
    /// Writes the frames `kept` of a block, counted from its frame `offset`. The other frames among the `frames` frames
    /// from `offset` on only pass through the dither.
    ///
    /// - Throws: The errors of `write`.
    package func write(
        _ block: borrowing PlanarBlock, firstChannel: Int = 0, from offset: Int = 0, frames: Int, kept: Range<Int>
    ) throws(SoundFileError) {
        pass(block, firstChannel: firstChannel, from: offset, frames: kept.lowerBound)
        try write(block, firstChannel: firstChannel, from: offset + kept.lowerBound, frames: kept.count)
        pass(block, firstChannel: firstChannel, from: offset + kept.upperBound, frames: frames - kept.upperBound)
    }
}
