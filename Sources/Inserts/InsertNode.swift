import CRealtime
import Signal

/// One insert on the audio thread: one or more instances of a plugin for a place's channels, and the parallel dry path.
///
/// Plans refer to the node by pointer. `InsertMember` makes and frees the node.
struct InsertNode: ~Copyable {
    /// Lock for exclusive use of all instances. A thread holds it while it runs the instances, or while it requests the
    /// same change from all of them.
    let gate = PluginGate()
    private let processors: UnsafeMutablePointer<PluginProcessor>
    private let processorCount: Int
    private let channelCount: Int
    private let sampleRate: Double
    private let slice: Int
    /// `[processor][input]`: channel that feeds the input.
    private let sources: UnsafeMutablePointer<Int>
    /// `[channel]`: row with the plugin's output.
    private let wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Whether the plugin's output is added to the dry path.
    private let adds: Bool
    /// Two rows per channel: first the dry path of each channel, then the outputs of channels that the plugin does not
    /// fill.
    private let past: PlanarBlock
    private var line: DelayLine
    /// `[channel]`: last output sample of the plugin.
    private let last: UnsafeMutablePointer<Float>
    /// Frames since the plugin's fault, at most `InsertNode.parting`.
    private var sinceFault = 0
    /// Number of frames in the last call of `hear`.
    private var heard = 0
    private var watch = RunWatch()
    private var meter = InsertMeter()
    private let meters: LatestValue<InsertMeter>

    /// Frames of the fade from a faulty plugin's last output to the dry path.
    private static var parting: Int { @_noLocks get { 256 } }
    /// Mean square above which a plugin's output counts as runaway: 60 dB above full scale.
    private static var runaway: Double { @_noLocks get { 1e6 } }

    /// Makes an insert from instances and their routing. The dry path can be delayed by up to `longestLatency` frames.
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

    /// Resets to silence. Offline, the plugins are reset too.
    @_noLocks
    mutating func restart(offline: Bool) {
        line.restart()
        for channel in 0..<channelCount { last[channel] = 0 }
        guard offline else { return }
        for index in 0..<processorCount { processors[index].settle(slice: slice, sampleRate: sampleRate) }
    }

    /// Processes the next `count` frames of all channels: writes them to the dry path, and runs the plugin on them
    /// unless it has had a fault. `latency` is the plugin's latency, frames. Call `give` once or more afterwards.
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

    /// Writes the output for the frames of the last `hear` to `rows`. In the mode `active` this is the plugin's output,
    /// or after a fault a fade to the dry path. Otherwise it is the dry path, delayed by `latency` frames. `rows` may
    /// be the rows of `hear` or other rows.
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

    /// Fades from the last sample of a faulty plugin to the dry path.
    @_noLocks
    private func part(_ channel: Int, _ row: UnsafeMutablePointer<Float>, count: Int) {
        for i in 0..<min(count, max(0, InsertNode.parting - sinceFault)) {
            let rest = Float(InsertNode.parting - sinceFault - i) / Float(InsertNode.parting)
            row[i] += (last[channel] - row[i]) * rest
        }
    }

    /// Adds the dry path, delayed by the plugin's latency, to the plugin's output.
    @_noLocks
    private func add(latency: Int, count: Int) {
        for channel in 0..<channelCount {
            let (room, made) = (past[channel], wet[channel])
            line.read(channel: channel, delay: min(latency, line.longest), to: room, count: count)
            let isSilent = made == past[channelCount + channel]
            for i in 0..<count { made[i] = isSilent ? room[i] : made[i] + room[i] }
        }
    }

    /// Runs the instances. Records a fault if they take too long, if their output is not finite or too loud, or if they
    /// are gone.
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
        // The plugin may have changed the processor's floating-point mode.
        prc_flush_denormals()
        let isLate = Double(spent) * 1e-9 * sampleRate > Double(count)
        meter.note(nanoseconds: spent, frames: count, isLate: isLate)
        // Offline there is no deadline.
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
