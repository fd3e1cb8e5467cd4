import Foundation
import Inserts
import Processes

/// Trial of a plugin's instance: one second of noise, one second of silence, saving and restoring of the state.
/// `PluginTrialChild` makes and closes the instance. The plugin's code runs in this process and may crash or block it.
struct PluginTrial {
    /// Frames of a slice, the block that the plugin processes at once.
    static let slice = 64
    /// Number of slices of noise, and of silence; about a second each.
    static let slices = 750
    /// Absolute sample value from which the output counts as faulty: 120 dB above full scale.
    static let greatest: Float = 1e6
    /// Longest time in which a plugin may process a second of sound, s. A slower plugin fails. Waiting for a processor
    /// is not counted.
    static let patience = 8.0

    let instance: any PluginInstance
    let clocks: TrialClocks
    var figures = PluginTrialFigures()
    private var random = UInt64(0x9e37_79b9_7f4a_7c15)

    init(_ instance: any PluginInstance, clocks: TrialClocks) {
        self.instance = instance
        self.clocks = clocks
    }

    /// Runs the instance on a second of noise.
    mutating func runOnNoise() throws(PluginError) {
        let times = try run(slices: Self.slices, noise: true)
        figures.median = times[times.count / 2]
        figures.percentile99 = times[times.count * 99 / 100]
        figures.latencyFrames = instance.latencyFrames
    }

    /// Runs the instance on a second of silence.
    mutating func runOnSilence() throws(PluginError) {
        let times = try run(slices: Self.slices, noise: false)
        figures.silentMedian = times[times.count / 2]
    }

    /// Saves the instance to a folder that does not exist yet.
    mutating func save(to folder: String) throws(PluginError) {
        try instance.save(to: folder)
        figures.savedBytes = FileManager.default.enumerator(atPath: folder)?.reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }

    /// Restores the saved state, and runs ten more slices.
    mutating func restore(from folder: String) throws(PluginError) {
        try instance.restore(from: folder)
        _ = try run(slices: 10, noise: true)
    }

    /// Longest wait until a worker's thread begins its work, s. A busy machine may not run the thread for a long time.
    private static let workerPatience = 20.0

    /// Waits until the worker is busy, no work is waiting, or `workerPatience` is over. Work that never returns has
    /// then begun, and is noticed at the close.
    func awaitWorker() {
        let end = Date().addingTimeInterval(Self.workerPatience)
        while instance.health.hasWaitingWork, instance.health.workerSeconds == 0, Date() < end {
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    /// Runs some slices. Returns the processor time of each, ns, in ascending order.
    private mutating func run(slices: Int, noise: Bool) throws(PluginError) -> [Int] {
        let processor = instance.processor
        var times: [Int] = []
        var spent = 0
        let waited = ProcessorQueue.seconds(of: "thread-self")
        for slice in 0..<slices {
            for channel in 0..<processor.inputCount {
                for i in 0..<Self.slice { processor.inputs[channel][i] = noise ? nextSample() : 0 }
            }
            let (start, work) = (clocks.passed(), clocks.worked())
            processor.process(frames: Self.slice, offline: false)
            times.append(Int(clocks.worked() - work))
            spent += Int(clocks.passed() - start)
            try check(processor, slice: slice)
            guard Double(spent) > Self.patience * 1e9 else { continue }
            let own = Double(spent) * 1e-9 - (ProcessorQueue.seconds(of: "thread-self") - waited)
            if own > Self.patience {
                let each = own / Double(slice + 1) * 1000
                throw fault(String(format: "too slow: %.4g ms for a slice of 1.33 ms", each))
            }
        }
        return times.sorted()
    }

    /// Checks the output of a slice, and updates the peak. Throws if a sample is not finite or reaches `greatest`.
    private mutating func check(_ processor: PluginProcessor, slice: Int) throws(PluginError) {
        for channel in 0..<processor.outputCount {
            for i in 0..<Self.slice {
                let sample = processor.outputs[channel][i]
                var place: String { "output \(channel + 1), frame \(slice * Self.slice + i)" }
                guard sample.isFinite else { throw fault("the output is not a finite number: \(sample), \(place)") }
                guard abs(sample) < Self.greatest else {
                    throw fault("the output is 120 dB above full scale, \(place)")
                }
                figures.peak = max(figures.peak ?? 0, abs(sample))
            }
        }
    }

    /// Returns the error of a failed trial.
    private func fault(_ reason: String) -> PluginError {
        .failed(identifier: instance.plugin.identifier, reason: reason)
    }

    /// Returns uniformly distributed noise from −0.25 to 0.25 (xorshift, Marsaglia 2003).
    private mutating func nextSample() -> Float {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return Float(random >> 40) / Float(1 << 25) - 0.25
    }
}
