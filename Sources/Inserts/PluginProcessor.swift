import CRealtime
import Signal
import Synchronization

/// One plugin instance for the audio thread: functions, a context, and the addresses of its samples.
///
/// The maker keeps the instance and its memory until no chain contains the instance.
///
/// Invariant (reason for `@unchecked Sendable`): the C functions and addresses do not change. The instance and its rows
/// belong to the audio thread while a chain contains them; before and afterwards they belong to their maker.
package struct PluginProcessor: BitwiseCopyable, @unchecked Sendable {
    /// Function that runs some frames, at most the slice for which the instance was made. It reads `inputs` and fills
    /// `outputs`.
    package let run: prc_plugin_run
    /// Function that resets the instance to silence. It is called only offline or in freewheel mode.
    package let restart: prc_plugin_restart
    /// Instance that is passed to the functions.
    package let context: UnsafeMutableRawPointer
    /// Audio inputs, each with room for one slice. No input shares memory with an output.
    package let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Number of audio inputs.
    package let inputCount: Int
    /// Audio outputs, each with room for one slice.
    package let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Number of audio outputs.
    package let outputCount: Int
    /// Value that is not 0 once the instance is gone permanently, because its process ended or did not answer. It is
    /// `trespass` if the instance wrote to memory that is not its own. Nil for an instance without a process of its
    /// own. The output of an instance that is gone is silence.
    package let departure: SharedPlace<Atomic<UInt8>>?

    /// Makes a processor; see the properties.
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

    /// Value of `departure` for an instance that wrote to memory that is not its own.
    package static var trespass: UInt8 { @_noLocks get { 255 } }

    /// Whether the instance is gone permanently.
    package var isGone: Bool { @_noLocks get { departed != 0 } }

    /// Reason why an instance that is gone was removed; `.none` while it is present.
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

    /// Runs `frames` > 0 frames. With `offline` all of the plugin's work is done before the call returns. With `isDeaf`
    /// requests to the plugin wait for a later call, because linked instances are receiving the same requests now.
    @_noLocks
    package func process(frames: Int, offline: Bool, isDeaf: Bool = false) {
        let mode = (offline ? PRC_PLUGIN_OFFLINE : 0) | (isDeaf ? PRC_PLUGIN_DEAF : 0)
        prc_run_plugin(run, context, UInt32(truncatingIfNeeded: frames), Int32(mode))
    }

    /// Returns whether a call's mode is offline, without a deadline.
    @_noLocks
    package static func isOffline(_ mode: Int32) -> Bool { Int(mode) & PRC_PLUGIN_OFFLINE != 0 }

    /// Returns whether, by a call's mode, requests to the plugin wait for a later call.
    @_noLocks
    package static func isDeaf(_ mode: Int32) -> Bool { Int(mode) & PRC_PLUGIN_DEAF != 0 }

    /// Resets to silence, and runs one second of silence. Slow transitions to the set values are then complete, as in a
    /// plugin that ran before the sound began. `slice` is the number of frames for which the instance was made. Only
    /// for offline use and freewheel mode.
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
