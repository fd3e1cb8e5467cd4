import CKernels
import Signal

/// Separates two channels, bin by bin, into the sources of the matrix that encoded them, and makes a stage's channels
/// from these sources.
///
/// Masks follow from powers and cross-power, as far as two channels determine the sources. One source alone, or two
/// neighbours, correlated or not, are separated completely. Sound without a direction stays in its channel. If the
/// matrix encodes the channels again, the result is the input, for any masks and amounts.
struct MatrixDecoder: ~Copyable {
    /// Number of sources except left and right. The channels of these two follow by subtraction.
    let sourceCount: Int
    /// `[mask][bin]`: masks of left and of right for each source, in order of frequency.
    let masks: PlanarBlock
    private let work: UnsafeMutablePointer<prk_matrix_masks>
    /// Channel numbers of left, right, and the sources.
    private let channels: UnsafeMutablePointer<Int>
    /// `[source][left, right]`: gains of each source in the two channels.
    private let encoded: UnsafeMutablePointer<Float>
    /// Rows of the sources in a block.
    private let field: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// Rows of the output channels in a block.
    private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// Gains of the sources at the first frame, and their step per frame.
    private let from: UnsafeMutablePointer<Float>, step: UnsafeMutablePointer<Float>

    /// Makes a decoder for the stage of a layout.
    ///
    /// - Parameter memory: Memory of powers and cross-power. It must outlive the decoder.
    init(_ encoding: MatrixEncoding, _ layout: Layout, memory: borrowing PrimaryAmbientMasks) {
        let all = encoding.sources
        // In the order around the circle, left is first and right is third.
        let own = all.enumerated().filter { $0.offset != 0 && $0.offset != 2 }.map(\.element)
        sourceCount = own.count
        masks = PlanarBlock(channels: 2 * own.count, frames: memory.rows.frameCapacity)
        channels = .allocate(capacity: all.count)
        for (index, source) in ([all[0], all[2]] + own).enumerated() {
            let channel = layout.loudspeakers.firstIndex { $0.symbol == source.channel.rawValue }
            (channels + index).initialize(to: channel ?? 0)
        }
        encoded = .allocate(capacity: 2 * own.count)
        for (index, source) in own.enumerated() {
            (encoded + 2 * index).initialize(to: Float(source.left))
            (encoded + 2 * index + 1).initialize(to: Float(source.right))
        }
        field = .allocate(capacity: own.count)
        field.initialize(repeating: nil, count: own.count)
        rows = .allocate(capacity: all.count)
        rows.initialize(repeating: nil, count: all.count)
        from = .allocate(capacity: own.count)
        from.initialize(repeating: 0, count: own.count)
        step = .allocate(capacity: own.count)
        step.initialize(repeating: 0, count: own.count)
        work = .allocate(capacity: 1)
        work.initialize(to: prk_matrix_masks())
        prk_matrix_prepare(work, all.count, all.flatMap { [$0.left, $0.right] })
        work.pointee.memory = memory.work
        work.pointee.masks = UnsafeRawPointer(masks.pointers).assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
    }

    deinit {
        channels.deallocate()
        encoded.deallocate()
        field.deallocate()
        rows.deallocate()
        from.deallocate()
        step.deallocate()
        work.deallocate()
    }

    /// Computes the masks of one more frame. `memory` must be prepared for that frame. Cost: about 10 ns per bin with
    /// AVX-512.
    @_noLocks
    func follow() { prk_matrix_make_masks(work) }

    /// Writes the channels of `frames` frames, from frame `start` of a block on, with a linear ramp of the amounts.
    ///
    /// - Parameters:
    ///   - left, right: The input from frame `start` on.
    ///   - sources: The block's rows, one per source.
    ///   - outputs: Rows of the layout's channels. Rows without a source are not changed.
    @_noLocks
    func mix(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, sources: borrowing PlanarBlock, at start: Int,
        frames: Int, from old: UpmixControls, to new: UpmixControls, into outputs: borrowing PlanarBlock
    ) {
        for row in 0..<sourceCount + 2 { rows[row] = outputs[channels[row]] + start }
        for source in 0..<sourceCount {
            field[source] = UnsafePointer(sources[source] + start)
            from[source] = source == 0 ? old.centre : old.ambience
            step[source] = ((source == 0 ? new.centre : new.ambience) - from[source]) / Float(frames)
        }
        var job = prk_matrix_mix(
            frames: frames, sources: sourceCount, left: left, right: right, field: field, encoded: encoded, from: from,
            step: step, rows: rows)
        prk_matrix_sum(&job)
    }
}
