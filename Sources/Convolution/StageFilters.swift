import Signal

/// Frequency responses of each source's filters for two ears. Several versions are kept, so that the convolver can
/// crossfade from a source's old filters to its new ones within a slice.
///
/// The filters of a source that does not move are not computed again. The layout is `[version][chunk of 16
/// bins][source][left re 16, left im 16, right re 16, right im 16]`. Sources are adjacent within each chunk, so that a
/// sum over sources reads memory in order.
package struct StageFilters: ~Copyable {
    /// Number of sources.
    package let sourceCount: Int
    /// Number of chunks of 16 bins in a filter.
    package let chunks: Int
    /// Number of versions that are kept of every source.
    package let versionCount: Int
    private let spectra: UnsafeMutablePointer<Float>

    /// Makes filters of zeros. Memory: 256 bytes per chunk, source and version; without sources, as much as for one
    /// source.
    package init(sourceCount: Int, chunks: Int, versionCount: Int) {
        precondition(sourceCount >= 0 && chunks > 0 && versionCount >= 1)
        self.sourceCount = sourceCount
        self.chunks = chunks
        self.versionCount = versionCount
        let count = versionCount * max(1, sourceCount) * 64 * chunks
        spectra = AlignedMemory.allocate(Float.self, count: count)
        spectra.initialize(repeating: 0, count: count)
    }

    deinit { spectra.deallocate() }

    /// Floats from one chunk of a filter to the next.
    package var stride: Int { @_noLocks get { 64 * max(1, sourceCount) } }

    /// Returns the start of one version of a source's filters. The pointer is valid as long as this value exists. Only
    /// one thread at a time may write to it. An index out of range ends the program in debug builds.
    @_noLocks
    package func filter(ofSource source: Int, version: Int) -> UnsafeMutablePointer<Float> {
        checkIndex(source, below: sourceCount, "source of a stage's filters")
        checkIndex(version, below: versionCount, "version of a stage's filters")
        return spectra + version * stride * chunks + 64 * source
    }
}
