import CJACK
import Synchronization

/// All callbacks except `process`. Most only record the change for the supervisor's thread (`JACKSupervisor`). The
/// callbacks of latency, connections and freewheel also act immediately.
///
/// They run on libjack's notification thread. The first buffer-size callback may run on libjack's audio thread. The
/// callbacks of latency, connections and freewheel may lock and allocate; they never run on the audio thread. All
/// others neither lock nor allocate.
extension JACKContext {
    /// Registers all callbacks. Returns false if one is refused. Call before activation, as JACK requires.
    static func register(_ context: UnsafeMutablePointer<JACKContext>) -> Bool {
        let client = context.pointee.client
        let argument = UnsafeMutableRawPointer(context)
        guard jack_set_process_callback(client, { jackProcess($0, $1) }, argument) == 0 else { return false }
        let results: [Int32] = [
            jack_set_buffer_size_callback(
                client,
                { frames, argument in
                    guard let context = behind(argument) else { return 0 }
                    let old = context.pointee.periodFrames.exchange(Int(frames), ordering: .relaxed)
                    if old != Int(frames) {
                        context.pointee.notes.pointee.note(period: Int(frames))
                    }
                    return 0
                }, argument),
            jack_set_sample_rate_callback(
                client,
                { rate, argument in
                    guard let context = behind(argument) else { return 0 }
                    let isOther = Double(rate) != context.pointee.sampleRate
                    context.pointee.isSilenced.store(isOther, ordering: .relaxed)
                    if isOther { context.pointee.notes.pointee.note(rate: Int(rate)) }
                    return 0
                }, argument),
            jack_set_xrun_callback(
                client,
                { argument in
                    behind(argument)?.pointee.notes.pointee.noteXrun()
                    return 0
                }, argument),
            jack_set_freewheel_callback(
                client,
                { starting, argument in
                    behind(argument)?.pointee.noteFreewheel(starting != 0)
                }, argument),
            jack_set_latency_callback(
                client,
                { mode, argument in
                    guard let context = behind(argument) else { return }
                    if context.pointee.isPipeWire {
                        context.pointee.notes.pointee.noteLatency()
                    } else {
                        context.pointee.reportLatency(mode)
                    }
                }, argument),
            jack_set_port_connect_callback(
                client,
                { from, to, connected, argument in
                    behind(argument)?.pointee.noteConnection(from: from, to: to, isConnected: connected != 0)
                }, argument),
        ]
        jack_on_shutdown(
            client, { argument in _ = behind(argument)?.pointee.notes.pointee.note(shutdown: 1) },
            argument)
        jack_on_info_shutdown(
            client,
            { _, _, argument in _ = behind(argument)?.pointee.notes.pointee.note(shutdown: 2) },
            argument)
        return results.allSatisfy { $0 == 0 }
    }

    /// Passes latencies on, increased by the stage's own latency: capture latencies from the inputs to the outputs,
    /// playback latencies from the outputs to the inputs. The stage's latency may differ between inputs. Ports that are
    /// not connected do not contribute to the ranges.
    ///
    /// A relay reads its own connections, and reports the values that are set here (`JACKRelayContext`). jackd expects
    /// latencies to be set in the latency callback. PipeWire 0.3.65 deadlocks if that callback sets a latency while
    /// another callback is due. On PipeWire the supervisor therefore reports the latencies.
    func reportLatency(_ mode: jack_latency_callback_mode_t) {
        withPorts { mode == JackCaptureLatency ? reportCapture($0) : reportPlayback($0) }
    }

    /// Returns the latency from an input to the outputs, frames. A relay adds one period.
    private func latency(of input: Int, _ ports: borrowing JACKStagePorts) -> UInt32 {
        let relay = ports.places[input].relay == nil ? 0 : UInt32(periodFrames.load(ordering: .relaxed))
        return ports.latencies[input] + insertLatency.load(ordering: .relaxed) + relay
    }

    /// The capture range of the outputs spans all connected inputs.
    private func reportCapture(_ ports: borrowing JACKStagePorts) {
        var total = jack_latency_range_t(min: .max, max: 0)
        for i in 0..<ports.inputCount {
            var found = jack_latency_range_t()
            if let relay = ports.places[i].relay {
                guard let known = relay.pointee.capture(ports.places[i].row) else { continue }
                found = known
            } else {
                guard jack_port_connected(ports.inputs[i]) > 0 else { continue }
                jack_port_get_latency_range(ports.inputs[i], JackCaptureLatency, &found)
            }
            // Wrapping addition, because an absurd value of another client must not trap.
            total.min = min(total.min, found.min &+ latency(of: i, ports))
            total.max = max(total.max, found.max &+ latency(of: i, ports))
        }
        if total.min > total.max {
            // Without connected inputs, only the stage's own latency is reported.
            let own = (0..<ports.inputCount).map { latency(of: $0, ports) }
            let plugins = insertLatency.load(ordering: .relaxed)
            total = jack_latency_range_t(min: own.min() ?? plugins, max: own.max() ?? plugins)
        }
        for ear in 0..<2 { jack_port_set_latency_range(outputPorts[ear], JackCaptureLatency, &total) }
        for port in ports.printPorts { jack_port_set_latency_range(port, JackCaptureLatency, &total) }
    }

    /// The playback latency of an input is the playback latency of the outputs plus the stage's latency.
    private func reportPlayback(_ ports: borrowing JACKStagePorts) {
        var behind = jack_latency_range_t(min: .max, max: 0)
        for ear in 0..<2 where jack_port_connected(outputPorts[ear]) > 0 {
            var found = jack_latency_range_t()
            jack_port_get_latency_range(outputPorts[ear], JackPlaybackLatency, &found)
            behind.min = min(behind.min, found.min)
            behind.max = max(behind.max, found.max)
        }
        if behind.min > behind.max { behind.min = behind.max }
        if !isFreewheeling.load(ordering: .relaxed) {
            // In freewheel servers report 0. The earlier value is valid again afterwards.
            playbackLatency.store(Int(behind.max), ordering: .relaxed)
        }
        for i in 0..<ports.inputCount {
            var range = jack_latency_range_t(
                min: behind.min &+ latency(of: i, ports), max: behind.max &+ latency(of: i, ports))
            if let relay = ports.places[i].relay {
                if relay.pointee.note(playback: range, of: ports.places[i].row) {
                    notes.pointee.noteLatency()
                }
            } else {
                jack_port_set_latency_range(ports.inputs[i], JackPlaybackLatency, &range)
            }
        }
        // Monitor inputs bypass the stage and add no latency.
        for port in monitorPorts.all { jack_port_set_latency_range(port, JackPlaybackLatency, &behind) }
    }
}

/// Returns the context to which a callback's argument points.
private func behind(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<JACKContext>? {
    argument?.assumingMemoryBound(to: JACKContext.self)
}
