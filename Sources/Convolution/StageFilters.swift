import Signal

/// Spectra of every source's filters for two ears, in several versions, old and new.
///
/// A slice crossfades between versions. A source that does not move keeps its version, and costs no computation.
/// Sources are adjacent within each chunk of bins,
/// `[version][chunk of 16 bins][source][left re 16, left im 16, right re 16, right im 16]`, so that a sum over sources
/// reads memory in order.
package struct StageFilters: ~Copyable {
    /// Sources served.
    package let sourceCount: Int
    /// Chunks of 16 bins of a filter.
    package let chunks: Int
    /// Versions kept of every source.
    package let versionCount: Int
    private let spectra: UnsafeMutablePointer<Float>

    /// Silent filters. Memory: 256 bytes per chunk, source and version.
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

    /// Returns the start of one version of a source's filters.
    @_noLocks
    package func filter(ofSource source: Int, version: Int) -> UnsafeMutablePointer<Float> {
        checkIndex(source, below: sourceCount, "source of a stage's filters")
        checkIndex(version, below: versionCount, "version of a stage's filters")
        return spectra + version * stride * chunks + 64 * source
    }
}
