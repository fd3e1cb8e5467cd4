import Signal

/// Filters the centre and the surrounds of an upmix so that both ears get the spectrum (colour) of plain stereo. The
/// filters follow the head and the HRTF set in use. They crossfade at every change.
///
/// Sound from the front pair reaches the nearer ear before the sound of a centre does. The filters therefore have a
/// look-ahead of `lead` frames, by which all channels are delayed. The output is bit-identical, however a stream is
/// divided into calls. Before the first `aim` the channels are only delayed. Only the audio thread uses the value;
/// another thread makes the filters (`UpmixColourTable`).
struct UpmixColour: ~Copyable {
    /// Latency of all channels, frames; 0 if nothing is filtered.
    let latencyFrames: Int
    /// Channel number and group of each channel. Channels of group −1 are only delayed.
    private let channels: UnsafeMutablePointer<(channel: Int, group: Int)>
    private let count: Int
    private let groups: Int
    private let taps: Int
    /// `[set][group]`: filters of two sets: those in force, and the previous ones, from which a crossfade starts.
    private let filters: PlanarBlock
    /// Index of the set that is in force, 0 or 1.
    private var newest = 0
    /// `[channel]`: input. Before it lie the last `taps` − 1 samples of the previous call.
    private let lines: PlanarBlock
    private let scratch: PlanarBlock
    /// Elapsed frames of the present fade. It is `length` at the end.
    private var position = 0
    private var length = 0
    /// Direction of the stage's front for the filters in force, radians; NaN before the first.
    private var azimuth = Double.nan
    /// Part of the filters in force that is applied, 0…1; NaN before the first.
    private var share = Float.nan

    /// Makes the filters of a programme. Nothing is filtered if its `colouredGroups` are empty.
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

    /// Returns the number of taps of a filter: 1.3 ms at 48 kHz. Within this time the filters of every set that was
    /// tried fall below a tenth of a dB.
    static func tapCount(sampleRate: SampleRate) -> Int {
        var taps = 64
        while sampleRate.hertz > Double(taps) * 1000 { taps *= 2 }
        return taps
    }

    /// Returns the look-ahead of a filter, frames: 0.17 ms at 48 kHz. A phantom source at ±30° needs about 0.13 ms.
    static func lead(sampleRate: SampleRate) -> Int { tapCount(sampleRate: sampleRate) / 8 }

    /// Clears the history and ends a fade. The filters stay in force.
    @_noLocks
    mutating func restart() {
        for place in 0..<count { Samples.clear(lines[place], count: taps - 1) }
        position = length
    }

    /// Sets the filters from a table, for a stage's front at `azimuth` (radians) relative to the head, and the `share`
    /// of them that is applied, 0…1. They fade in over the next `frames` frames; with `atOnce`, and at the first call,
    /// they apply immediately. Has no effect if the table has other numbers of groups or taps, or if the table is not
    /// new (`isNew`) and the same filters are already in force.
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

    /// Filters the next `frames` ≤ `ProgrammeSlice.longest` frames of a layout's rows, in place. If the result is not
    /// heard, the rows are only delayed. Cost: `taps` multiply-adds per frame of a filtered channel, twice as many
    /// during a fade.
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

    /// Filters a row with the newest filter. During a fade it crossfades from the previous filter.
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
    /// Channels of the upmix that are filtered for colour, in groups with equal filters: first the centre, then pairs.
    /// There are none without an upmix or a stereo rendition, if the layout allows no upmix, and for mono that is
    /// placed in the centre unchanged. There are none with a multichannel rendition, because the upmix has to match
    /// that rendition instead, and for a matrix decoder, because the programme was mixed for the decoded channels.
    package var colouredGroups: [[Int]] {
        guard let upmix, hasStereoRendition, !hasMultichannelRendition, !(isMono && upmix.mono == .centre) else {
            return []
        }
        guard upmix.mode != .matrix else { return [] }
        // A layout to which no upmix is possible is refused where the upmixer is made.
        return (try? UpmixRouting(layout))?.groups ?? []
    }

    /// Returns the look-ahead of the filters of `colouredGroups`, frames.
    package static func colourLead(sampleRate: SampleRate) -> Int { UpmixColour.lead(sampleRate: sampleRate) }

    /// Returns the number of taps of the filters of `colouredGroups` at a sample rate.
    package static func colourTaps(sampleRate: SampleRate) -> Int { UpmixColour.tapCount(sampleRate: sampleRate) }
}
