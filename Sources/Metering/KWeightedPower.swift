import Signal

/// Power of several channels for loudness, per frame. Each channel is filtered by `KWeighting`, squared, weighted, and
/// added to the sum.
///
/// The result does not depend, to the bit, on how a stream is divided into calls. Accessed by pointer on the audio
/// thread.
package struct KWeightedPower: ~Copyable {
    /// Number of groups of four channels with a weight above 0. The last group is padded with channels of weight 0.
    private let groupCount: Int
    private let channels: UnsafeMutablePointer<Int>
    private let weights: UnsafeMutablePointer<SIMD4<Double>>
    private let states: UnsafeMutablePointer<KWeightingLanes>

    /// Creates filters at rest, one channel per weight. Channels of weight 0 are never read.
    package init(sampleRate: SampleRate, channelWeights: [Float]) {
        let filter = KWeighting(sampleRate: sampleRate.hertz)
        let counted = channelWeights.indices.filter { channelWeights[$0] > 0 }
        groupCount = (counted.count + 3) / 4
        channels = .allocate(capacity: max(1, 4 * groupCount))
        weights = .allocate(capacity: max(1, groupCount))
        weights.initialize(repeating: SIMD4(), count: max(1, groupCount))
        states = .allocate(capacity: max(1, groupCount))
        states.initialize(repeating: KWeightingLanes(filter), count: max(1, groupCount))
        for place in 0..<4 * groupCount {
            (channels + place).initialize(to: counted[min(place, counted.count - 1)])
            if place < counted.count { weights[place / 4][place % 4] = Double(channelWeights[counted[place]]) }
        }
    }

    deinit {
        channels.deallocate()
        weights.deallocate()
        states.deallocate()
    }

    /// Clears all state.
    @_noLocks
    package func reset() { for group in 0..<groupCount { states[group].reset() } }

    /// Writes the power of each of `count` frames of `rows`. Cost: about 5 ns per frame and four channels.
    @_noLocks
    package func measure(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, into power: UnsafeMutablePointer<Double>
    ) {
        for i in 0..<count { power[i] = 0 }
        for group in 0..<groupCount {
            let (a, b) = (rows[channels[4 * group]], rows[channels[4 * group + 1]])
            let (c, d) = (rows[channels[4 * group + 2]], rows[channels[4 * group + 3]])
            let weight = weights[group]
            var state = states[group]
            for i in 0..<count {
                let z = state.next(SIMD4(Double(a[i]), Double(b[i]), Double(c[i]), Double(d[i])))
                let squares = weight * z * z
                power[i] += (squares.x + squares.y) + (squares.z + squares.w)
            }
            states[group] = state
        }
    }
}
