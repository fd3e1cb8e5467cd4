/// How a stage's sources stand in the lanes of vector registers: one source per lane, `groups` of `lanes` sources.
///
/// Spectra of a group are `[bin][re, im][lane]` for the `slice` bins of a real transform of 2·slice samples (bin 0 packs
/// the zero frequency and half the sample rate). Lanes follow the number of sources, so that few sources do not carry
/// many empty lanes: 4 up to four sources, 8 up to eight, else 16 in as many groups as it takes.
package struct LaneShape: BitwiseCopyable, Sendable {
    /// Sources served; the lanes beyond them are silent.
    package let sourceCount: Int
    /// Frames per slice: a power of two, 16…32768.
    package let slice: Int
    /// Sources per group.
    package let lanes: Int
    /// Groups of sources.
    package let groups: Int

    /// The shape for `sourceCount` ≥ 0 sources on a grid of `slice` frames.
    package init(sourceCount: Int, slice: Int) {
        precondition(sourceCount >= 0 && slice >= 16 && slice <= 32768 && slice & (slice - 1) == 0)
        self.sourceCount = sourceCount
        self.slice = slice
        lanes = sourceCount <= 4 ? 4 : sourceCount <= 8 ? 8 : 16
        groups = max(1, (sourceCount + lanes - 1) / lanes)
    }

    /// Lanes in all groups: `sourceCount` rounded up.
    package var laneCount: Int { @_noLocks get { lanes * groups } }

    /// Real samples in a group's block of one slice.
    package var blockCount: Int { @_noLocks get { slice * lanes } }

    /// Floats from one group's spectrum to the next. A cache line more than the spectrum holds: at a power of two all
    /// spectra of a sum would compete for the same few lines of the first-level cache.
    package var groupStride: Int { @_noLocks get { 2 * slice * lanes + 16 } }

    /// Floats of the spectra of all groups for one slice or one partition.
    package var spectraCount: Int { @_noLocks get { groups * groupStride } }
}
