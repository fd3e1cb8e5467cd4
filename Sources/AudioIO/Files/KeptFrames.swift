import Signal

/// Section of a programme that a file receives. All frames are made, from the first on, so that filters, dynamics and
/// dither have the same history as without the section; frames outside of it are dropped.
package struct KeptFrames: Sendable {
    /// Frames of the section, from the programme's first frame on.
    package let range: Range<Int>
    /// Count of frames seen.
    package private(set) var position = 0

    /// Creates the section at the first frame of the programme.
    package init(_ range: Range<Int>) { self.range = range }

    /// Whether no later frame belongs to the section.
    package var isDone: Bool { position >= range.upperBound }

    /// Share of the work done, 0…1.
    package var share: Double { range.upperBound > 0 ? min(1, Double(position) / Double(range.upperBound)) : 1 }

    /// Counts the next `count` frames; returns the offsets among them that belong to the section, maybe none.
    package mutating func next(_ count: Int) -> Range<Int> {
        let first = position
        position += count
        let begin = max(first, min(position, range.lowerBound))
        let end = max(begin, min(position, range.upperBound))
        return (begin - first)..<(end - first)
    }
}

extension SoundFileWriter {
    /// Writes the frames `kept` of a block; the others of its first `frames` frames only pass the dither.
    ///
    /// - Throws: as `write`.
    package func write(
        _ block: borrowing PlanarBlock, firstChannel: Int = 0, from offset: Int = 0, frames: Int, kept: Range<Int>
    ) throws(SoundFileError) {
        pass(block, firstChannel: firstChannel, from: offset, frames: kept.lowerBound)
        try write(block, firstChannel: firstChannel, from: offset + kept.lowerBound, frames: kept.count)
        pass(block, firstChannel: firstChannel, from: offset + kept.upperBound, frames: frames - kept.upperBound)
    }
}
