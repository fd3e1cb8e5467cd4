import Signal

/// All-pass sections in series. They make copies of a sound uncorrelated without colouring them (Schroeder, J. Audio
/// Eng. Soc. 10, 1962): y = −g·w + w[n − d], w = x + g·w[n − d]. The sign of g alternates from section to section.
package struct Decorrelator: ~Copyable {
    private let delays: UnsafeMutablePointer<Int>
    private let lines: PlanarBlock
    private let places: UnsafeMutablePointer<Int>
    private let count: Int
    private let gain: Float

    /// Makes sections with the given delays, samples, ≥ 1.
    package init(delays: [Int], gain: Float) {
        count = delays.count
        self.gain = gain
        self.delays = .allocate(capacity: max(1, count))
        places = .allocate(capacity: max(1, count))
        places.initialize(repeating: 0, count: max(1, count))
        lines = PlanarBlock(channels: count, frames: delays.max() ?? 1)
        for (index, delay) in delays.enumerated() { (self.delays + index).initialize(to: max(1, delay)) }
    }

    deinit {
        delays.deallocate()
        places.deallocate()
    }

    /// Clears all state.
    @_noLocks
    package func reset() {
        for section in 0..<count {
            Samples.clear(lines[section], count: delays[section])
            places[section] = 0
        }
    }

    /// Filters a row in place. Cost: about 1 ns per section and sample.
    @_noLocks
    package func process(_ row: UnsafeMutablePointer<Float>, frames: Int) {
        for section in 0..<count {
            let (line, delay) = (lines[section], delays[section])
            let g = section % 2 == 0 ? gain : -gain
            var place = places[section]
            var done = 0
            while done < frames {
                let n = min(frames - done, delay - place)
                let (x, w) = (row + done, line + place)
                for i in 0..<n {
                    let late = w[i]
                    let now = x[i] + g * late
                    x[i] = late - g * now
                    w[i] = now
                }
                done += n
                place += n
                if place == delay { place = 0 }
            }
            places[section] = place
        }
    }
}
