import Signal

/// Filters the centre and the surrounds of an upmix so that both ears hear the colour of plain stereo. The filters
/// follow the head and the HRTF set in use, with a crossfade at every change.
///
/// Sound from the front pair reaches the nearer ear before a centre's does, so the filters look `lead` frames ahead and
/// all channels are delayed by as much. The output does not depend on how a stream is cut, to the bit. Before the first
/// `aim` it only delays. Used by the audio thread alone; the filters are made elsewhere (`UpmixColourTable`).
struct UpmixColour: ~Copyable {
    /// Latency of all channels, frames; 0 where nothing is filtered.
    let latencyFrames: Int
    /// Channel number and group of each channel; group −1 for those that are only delayed.
    private let channels: UnsafeMutablePointer<(channel: Int, group: Int)>
    private let count: Int
    private let groups: Int
    private let taps: Int
    /// `[of two][group]`: filters in force, and the previous ones, which a crossfade starts from.
    private let filters: PlanarBlock
    private var newest = 0
    /// `[channel]`: input, preceded by the last `taps` − 1 samples of the call before.
    private let lines: PlanarBlock
    private let scratch: PlanarBlock
    /// Frames of the present fade completed, `length` at its end.
    private var position = 0
    private var length = 0
    private var azimuth = Double.nan
    private var share = Float.nan

    /// Makes the filters of a programme; nothing is filtered if its `colouredGroups` are empty.
    init(_ programme: Programme, sampleRate: SampleRate) {
        let coloured = programme.colouredGroups
        groups = coloured.count
        taps = Self.tapCount(sampleRate: sampleRate)
        latencyFrames = groups == 0 ? 0 : Self.lead(sampleRate: sampleRate)
        let places = (0..<(groups == 0 ? 0 : programme.layout.channelCount)).map { channel in
            (channel: channel, group: coloured.firstIndex { $0.contains(channel) } ?? -1)
        }
        count = places.count
        channels = .allocate(capacity: max(1, count))
        for (index, place) in places.enumerated() { (channels + index).initialize(to: place) }
        filters = PlanarBlock(channels: 2 * groups, frames: taps)
        lines = PlanarBlock(channels: count, frames: taps - 1 + ProgrammeSlice.longest)
        scratch = PlanarBlock(channels: 1, frames: ProgrammeSlice.longest)
    }

    deinit { channels.deallocate() }

    /// Returns the number of taps of a filter: 1.3 ms, within which the filters of every set tried fall below a tenth
    /// of a dB.
    static func tapCount(sampleRate: SampleRate) -> Int {
        var taps = 64
        while sampleRate.hertz > Double(taps) * 1000 { taps *= 2 }
        return taps
    }

    /// Returns the look-ahead of a filter, frames: 0.17 ms, of which a phantom at ±30° needs about 0.13.
    static func lead(sampleRate: SampleRate) -> Int { tapCount(sampleRate: sampleRate) / 8 }

    /// Clears the history; filters stay.
    @_noLocks
    mutating func restart() {
        for place in 0..<count { Samples.clear(lines[place], count: taps - 1) }
        position = length
    }

    /// Sets the filters for a stage's front seen at `azimuth`, radians, from a table, and the `share` applied, 0…1.
    /// They fade in over the next `frames`, or apply `atOnce`. Has no effect where they are in force already, unless
    /// the table `isNew`.
    @_noLocks
    mutating func aim(
        _ table: UpmixColourTable, azimuth: Double, share: Float, isNew: Bool, frames: Int, atOnce: Bool
    ) {
        guard isNew || abs(azimuth - self.azimuth) > 1e-5 || share != self.share || !(self.share >= 0) else { return }
        guard table.groups == groups, table.taps == taps else { return }
        self.azimuth = azimuth
        (length, position) = (frames, atOnce || !(self.share >= 0) ? frames : 0)
        self.share = share
        newest = 1 - newest
        for group in 0..<groups {
            table.read(
                group, azimuth: azimuth, share: share, lead: latencyFrames, to: filters[newest * groups + group])
        }
    }

    /// Filters the next `frames` ≤ `ProgrammeSlice.longest` of a layout's rows in place; only delays where the result
    /// is not heard. Cost: `taps` multiply-adds per filtered channel, twice as many in a fade.
    @_noLocks
    mutating func process(_ rows: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, isHeard: Bool) {
        let isFiltered = isHeard && share > 0
        for place in 0..<count {
            let (channel, group) = channels[place]
            let (row, line) = (rows[channel], lines[place])
            Samples.copy(row, to: line + taps - 1, count: frames)
            if group >= 0 && (isFiltered || isHeard && position < length) {
                filter(line, group, to: row, frames)
            } else {
                Samples.copy(line + taps - 1 - latencyFrames, to: row, count: frames)
            }
            if frames >= taps - 1 {
                Samples.copy(line + frames, to: line, count: taps - 1)
            } else {
                for i in 0..<(taps - 1) { line[i] = line[i + frames] }
            }
        }
        position = min(length, position + frames)
    }

    /// Filters a row by the newest filter, with a crossfade from the one before it.
    @_noLocks
    private func filter(_ line: UnsafePointer<Float>, _ group: Int, to row: UnsafeMutablePointer<Float>, _ frames: Int)
    {
        Samples.filter(line, by: filters[newest * groups + group], taps: taps, to: row, count: frames)
        guard position < length else { return }
        let old = scratch[0]
        Samples.filter(line, by: filters[(1 - newest) * groups + group], taps: taps, to: old, count: frames)
        let step = 1 / Float(length)
        for i in 0..<min(frames, length - position) {
            let share = Float(position + i) * step
            row[i] = old[i] + share * (row[i] - old[i])
        }
    }
}

extension Programme {
    /// Channels of the upmix that are filtered for colour, in groups of equal filters: the centre first, then pairs.
    /// Empty without an upmix, and where mono stands in the centre unchanged. Empty with a multichannel rendition, as
    /// the upmix is to match its sound, and for a matrix decoder, as the mix was made for these channels.
    package var colouredGroups: [[Int]] {
        guard let upmix, hasStereoRendition, !hasMultichannelRendition, !(isMono && upmix.mono == .centre) else {
            return []
        }
        guard upmix.mode != .matrix else { return [] }
        // A layout that cannot be upmixed is rejected where the upmixer is made.
        return (try? UpmixRouting(layout))?.groups ?? []
    }

    /// Returns the look-ahead of the filters of `colouredGroups`, frames.
    package static func colourLead(sampleRate: SampleRate) -> Int { UpmixColour.lead(sampleRate: sampleRate) }

    /// Returns the number of taps of the filters of `colouredGroups` at a rate.
    package static func colourTaps(sampleRate: SampleRate) -> Int { UpmixColour.tapCount(sampleRate: sampleRate) }
}
