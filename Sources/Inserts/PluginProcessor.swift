import CRealtime
import Signal
import Synchronization

/// One plugin instance as the audio thread runs it: functions, a context, and where its sound lies.
///
/// The instance's maker keeps it and its memory until no chain holds it any more.
///
/// Invariant (why it may be shared unchecked): C functions and addresses that do not change; the instance and its rows
/// belong to the audio thread while a chain holds them, and before and after to their maker.
package struct PluginProcessor: BitwiseCopyable, @unchecked Sendable {
    /// Runs some frames, at most the slice it was made for: reads `inputs`, fills `outputs`.
    package let run: prc_plugin_run
    /// Begins anew with silence; only offline or in freewheel.
    package let restart: prc_plugin_restart
    /// The instance.
    package let context: UnsafeMutableRawPointer
    /// Audio channels that go in, each with room for one slice; never the memory of an output.
    package let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Number of audio channels that go in.
    package let inputCount: Int
    /// Audio channels that come out, each with room for one slice.
    package let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Number of audio channels that come out.
    package let outputCount: Int
    /// Becomes other than 0 when the instance is gone for good, whose process ended, and `trespass` where it wrote over
    /// memory that is not its own; nil: it cannot go. Where it is gone, its output is silence.
    package let departure: SharedPlace<Atomic<UInt8>>?

    /// An instance; see the properties.
    package init(
        run: @escaping prc_plugin_run, restart: @escaping prc_plugin_restart, context: UnsafeMutableRawPointer,
        inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, inputCount: Int,
        outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, outputCount: Int,
        departure: SharedPlace<Atomic<UInt8>>? = nil
    ) {
        self.run = run
        self.restart = restart
        self.context = context
        self.inputs = inputs
        self.inputCount = inputCount
        self.outputs = outputs
        self.outputCount = outputCount
        self.departure = departure
    }

    /// What `departure` is of an instance that wrote over memory that is not its own.
    package static var trespass: UInt8 { @_noLocks get { 255 } }

    /// Whether it is gone for good.
    package var isGone: Bool { @_noLocks get { departed != 0 } }

    /// Why it was taken out, of one that is gone; `.none` while it is there.
    var leaving: InsertFault {
        @_noLocks get {
            let reason = departed
            return reason == 0 ? .none : reason == PluginProcessor.trespass ? .trespassed : .gone
        }
    }

    private var departed: UInt8 {
        @_noLocks get {
            guard let departure else { return 0 }
            return departure.pointee.load(ordering: .relaxed)
        }
    }

    /// Runs `frames` > 0 frames; `offline`: with all its work done before this returns. `isDeaf`: what it is asked for
    /// waits for a later call, since others it is linked with are being asked for the same just now.
    @_noLocks
    package func process(frames: Int, offline: Bool, isDeaf: Bool = false) {
        let mode = (offline ? PRC_PLUGIN_OFFLINE : 0) | (isDeaf ? PRC_PLUGIN_DEAF : 0)
        prc_run_plugin(run, context, UInt32(truncatingIfNeeded: frames), Int32(mode))
    }

    /// Whether a call's mode says that it may take its time.
    @_noLocks
    package static func isOffline(_ mode: Int32) -> Bool { Int(mode) & PRC_PLUGIN_OFFLINE != 0 }

    /// Whether a call's mode says that requests wait.
    @_noLocks
    package static func isDeaf(_ mode: Int32) -> Bool { Int(mode) & PRC_PLUGIN_DEAF != 0 }

    /// Begins anew with silence, and runs through a second of it: what moves slowly to where it was set has arrived
    /// there then, as in a plugin that has waited for the sound. Only offline or in freewheel; `slice`: frames it was
    /// made for.
    @_noLocks
    package func settle(slice: Int, sampleRate: Double) {
        prc_restart_plugin(restart, context)
        for channel in 0..<inputCount { Samples.clear(inputs[channel], count: slice) }
        var left = Int(sampleRate)
        while left > 0 {
            process(frames: slice, offline: true)
            left -= slice
        }
    }
}
