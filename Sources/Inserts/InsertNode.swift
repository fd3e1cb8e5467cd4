import CRealtime
import Signal

/// One insert on the audio thread: a plugin, or as many instances of it as its channels need,
/// and the same sound past it.
///
/// Reached by pointer from plans; made and freed by `InsertMember`.
struct InsertNode: ~Copyable {
    /// Entered by the thread that has all instances to itself: to run them, or to ask them all for the same.
    let gate = PluginGate()
    private let processors: UnsafeMutablePointer<PluginProcessor>
    private let processorCount: Int
    private let channelCount: Int
    private let sampleRate: Double
    private let slice: Int
    /// `[processor][input]`: the channel that goes in.
    private let sources: UnsafeMutablePointer<Int>
    /// `[channel]`: the row that comes out.
    private let wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Whether the plugin's sound is added to what passes by.
    private let adds: Bool
    /// `[channel]`, twice: room for the sound past the plugin, and for what comes out where the plugin has no room of
    /// its own.
    private let past: PlanarBlock
    private var line: DelayLine
    /// `[channel]`: the last sample heard of the plugin.
    private let last: UnsafeMutablePointer<Float>
    /// Frames since the plugin was taken out, up to `InsertNode.parting`.
    private var sinceFault = 0
    /// Frames heard last.
    private var heard = 0
    private var watch = RunWatch()
    private var meter = InsertMeter()
    private let meters: LatestValue<InsertMeter>

    /// Frames in which the sound of a plugin that is taken out passes into the sound past it.
    private static var parting: Int { @_noLocks get { 256 } }
    /// Mean square of a plugin's output that is no sound any more: 60 dB over full scale.
    private static var runaway: Double { @_noLocks get { 1e6 } }

    /// Instances with the channels that go into each and come out. Sound past them can be `longestLatency` frames late.
    init(
        _ members: [PluginProcessor], routing: InsertRouting, longestLatency: Int, slice: Int, sampleRate: SampleRate,
        meters: LatestValue<InsertMeter>
    ) {
        let channels = routing.channels
        processorCount = members.count
        adds = routing.adds
        self.slice = slice
        channelCount = channels
        self.sampleRate = sampleRate.hertz
        self.meters = meters
        processors = .allocate(capacity: max(1, members.count))
        processors.initialize(from: members, count: members.count)
        let flat = routing.inputs.flatMap(\.self)
        sources = .allocate(capacity: max(1, flat.count))
        sources.initialize(from: flat, count: flat.count)
        past = PlanarBlock(channels: 2 * channels, frames: slice)
        wet = .allocate(capacity: max(1, channels))
        wet.initialize(from: past.pointers + channels, count: channels)
        for (member, channels) in zip(members, routing.outputs) {
            for (output, channel) in channels.enumerated() { wet[channel] = member.outputs[output] }
        }
        line = DelayLine(channels: channels, longest: longestLatency, slice: slice)
        last = .allocate(capacity: max(1, channels))
        last.initialize(repeating: 0, count: channels)
    }

    deinit {
        processors.deallocate()
        sources.deallocate()
        wet.deallocate()
        last.deallocate()
    }

    /// Begins anew with silence; the plugins too where they may take their time.
    @_noLocks
    mutating func restart(offline: Bool) {
        line.restart()
        for channel in 0..<channelCount { last[channel] = 0 }
        guard offline else { return }
        for index in 0..<processorCount { processors[index].settle(slice: slice, sampleRate: sampleRate) }
    }

    /// Hears the next `count` frames of all channels: runs the plugin on them, and keeps them for what passes it.
    /// `latency`: how late the plugin makes its sound. Then `give`, once or more.
    @_noLocks
    mutating func hear(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, latency: Int, count: Int, offline: Bool
    ) {
        for channel in 0..<channelCount { line.write(rows[channel], channel: channel, count: count) }
        line.advance(count)
        if meter.fault != .none { sinceFault = min(InsertNode.parting, sinceFault + heard) }
        heard = count
        guard meter.fault == .none else { return }
        run(rows, count: count, offline: offline)
        if adds { add(latency: latency, count: count) }
        guard meter.fault == .none else { return }
        for channel in 0..<channelCount { last[channel] = wet[channel][count - 1] }
    }

    /// Gives the `count` frames heard last as a mode has them, `latency` frames late where they pass the plugin; into
    /// rows other than those heard, or the same.
    @_noLocks
    func give(
        to rows: UnsafePointer<UnsafeMutablePointer<Float>>, _ mode: InsertMode, latency: Int, count: Int
    ) {
        for channel in 0..<channelCount {
            if mode == .active && meter.fault == .none {
                Samples.copy(wet[channel], to: rows[channel], count: count)
            } else {
                line.read(channel: channel, delay: min(latency, line.longest), to: rows[channel], count: count)
                if mode == .active { part(channel, rows[channel], count: count) }
            }
        }
    }

    /// Passes from the last sample of a plugin that was taken out into the sound past it.
    @_noLocks
    private func part(_ channel: Int, _ row: UnsafeMutablePointer<Float>, count: Int) {
        for i in 0..<min(count, max(0, InsertNode.parting - sinceFault)) {
            let rest = Float(InsertNode.parting - sinceFault - i) / Float(InsertNode.parting)
            row[i] += (last[channel] - row[i]) * rest
        }
    }

    /// Adds what passes by to what the plugin made, which it is as late as.
    @_noLocks
    private func add(latency: Int, count: Int) {
        for channel in 0..<channelCount {
            let (room, made) = (past[channel], wet[channel])
            line.read(channel: channel, delay: min(latency, line.longest), to: room, count: count)
            let isSilent = made == past[channelCount + channel]
            for i in 0..<count { made[i] = isSilent ? room[i] : made[i] + room[i] }
        }
    }

    /// Runs the plugins, and takes them out where they do what no plugin may.
    @_noLocks
    private mutating func run(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, offline: Bool
    ) {
        var input = 0
        for index in 0..<processorCount {
            for channel in 0..<processors[index].inputCount {
                Samples.copy(rows[sources[input]], to: processors[index].inputs[channel], count: count)
                input += 1
            }
        }
        let began = prc_monotonic_nanoseconds()
        let isAlone = offline ? gate.enter(within: 10) : gate.tryEnter()
        for index in 0..<processorCount {
            processors[index].process(frames: count, offline: offline, isDeaf: !isAlone)
        }
        if isAlone { gate.leave() }
        let spent = Int(prc_monotonic_nanoseconds() - began)
        // A plugin may have left the processor's mode otherwise than it was.
        prc_flush_denormals()
        let isLate = Double(spent) * 1e-9 * sampleRate > Double(count)
        meter.note(nanoseconds: spent, frames: count, isLate: isLate)
        // Offline nothing is late.
        meter.fault = offline ? .none : watch.fault(nanoseconds: spent, isLate: isLate)
        for index in 0..<processorCount where processors[index].leaving != .none {
            meter.fault = processors[index].leaving
        }
        for channel in 0..<channelCount {
            let energy = Samples.energy(wet[channel], count: count)
            if !energy.isFinite { meter.fault = .notANumber }
            if energy > InsertNode.runaway * Double(count) { meter.fault = .runaway }
        }
        meters.store(meter)
    }
}
