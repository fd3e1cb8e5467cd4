import CKernels

extension RoomLevel {
    /// Computes some chunks of the sum over sources and partitions, for one filter state.
    @_noLocks
    func sum(_ chunks: Range<Int>, _ state: Int) {
        let skipped = level.first - 2
        let partitions = max(0, min(level.count, known - skipped))
        let first = (newest + skipped) % slots
        let run = min(partitions, slots - first)
        let stride = slots * sources * 32
        let inputs = spectra + chunks.lowerBound * stride
        var job = prk_room_sum()
        job.chunks = chunks.count
        job.terms = (run * sources, (partitions - run) * sources)
        job.inputs = (UnsafePointer(inputs + first * sources * 32), UnsafePointer(inputs))
        job.input_stride = stride
        job.filters = filters[coming.row(state, of: filters.yaws)] + chunks.lowerBound * filters.stride
        job.filter_stride = filters.stride
        job.results = (sums[0] + 32 * chunks.lowerBound, sums[1] + 32 * chunks.lowerBound)
        job.onto = 0
        prk_room_sum_spectra(&job)
    }

    /// Computes some chunks of the sum for the current block, and in advance half of these chunks for the next block.
    @_noLocks
    func sumPair(_ chunks: Range<Int>) {
        let stride = slots * sources * 32
        let start = UnsafePointer(spectra + chunks.lowerBound * stride)
        let first = (newest + level.first - 2) % slots
        // Four runs: the first partition; the partitions up to the ring's end; the first partition at the ring's start;
        // the rest.
        let before = min(level.count, slots - first)
        let after = level.count - before
        let (a, b) = (start + first * sources * 32, start)
        let last = a + (before - 1) * sources * 32
        let one = sources * 32
        var job = prk_room_pair()
        job.chunks = chunks.count
        job.phase = (chunks.lowerBound + blocks) % 2
        job.fresh = isAhead ? 0 : 1
        job.runs = after > 0 ? 4 : 2
        job.terms = (sources, (before - 1) * sources, after > 0 ? sources : 0, max(0, after - 1) * sources)
        job.inputs = (a, a + one, b, b + one)
        job.later = (nil, a, last, b)
        job.input_stride = stride
        job.filters = filters[0] + chunks.lowerBound * filters.stride
        job.filter_stride = filters.stride
        job.results = (sums[0] + 32 * chunks.lowerBound, sums[1] + 32 * chunks.lowerBound)
        job.ahead = (ahead[0] + 32 * chunks.lowerBound, ahead[1] + 32 * chunks.lowerBound)
        prk_room_sum_pair(&job)
    }
}
