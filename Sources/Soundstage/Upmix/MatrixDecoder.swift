import CKernels
import Signal

/// Divides two channels, bin by bin, into the sources that a matrix put into them,
/// and makes a stage's channels of them.
///
/// Powers and cross-power say how strong each source is as far as two channels can say it: one source alone, or two
/// neighbours, whether they know of each other or not, come out alone. What has no direction stays where it is. Put
/// through the matrix again, all channels together are the input, whatever the masks and the amounts.
struct MatrixDecoder: ~Copyable {
    /// Sources but left and right, whose channels come by subtraction.
    let sourceCount: Int
    /// Masks of left and of right for each of them, in order of frequency, `[mask][bin]`.
    let masks: PlanarBlock
    private let work: UnsafeMutablePointer<prk_matrix_masks>
    /// Channel numbers of left, right and the sources.
    private let channels: UnsafeMutablePointer<Int>
    /// `[source][left, right]`, what each is in the two.
    private let encoded: UnsafeMutablePointer<Float>
    /// Where a block's rows are, and the gains of the sources: at its first frame, and by the frame.
    private let field: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let from: UnsafeMutablePointer<Float>, step: UnsafeMutablePointer<Float>

    /// A decoder for the stage of a layout.
    ///
    /// - Parameter memory: follows powers and cross-power; must outlive it.
    init(_ encoding: MatrixEncoding, _ layout: Layout, memory: borrowing PrimaryAmbientMasks) {
        let all = encoding.sources
        // Round the circle left is the first and right the third.
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

    /// Makes the masks of one more frame, which `memory` is ready for. Cost: about 10 ns per bin with AVX-512.
    @_noLocks
    func follow() { prk_matrix_make_masks(work) }

    /// The channels of `frames` frames from frame `start` of a block on, amounts going from one to the other.
    ///
    /// - Parameters:
    ///   - left, right: the input from there on.
    ///   - sources: rows of the block, as many as there are.
    ///   - outputs: rows of the layout's channels; those that are no source's stay as they are.
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
