import CJACK
import Synchronization

/// The callbacks beside `process`: each notes what happened in the context and returns; the supervisor does the rest.
///
/// They run on libjack's notification thread, the first period callback on its audio thread: none locks or allocates.
extension JACKContext {
    /// Registers all callbacks; false where one is refused. Before activation, which is the only time JACK takes them.
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
                    if old != Int(frames) { context.pointee.newPeriod.store(Int(frames), ordering: .releasing) }
                    return 0
                }, argument),
            jack_set_sample_rate_callback(
                client,
                { rate, argument in
                    guard let context = behind(argument) else { return 0 }
                    let isOther = Double(rate) != context.pointee.sampleRate
                    context.pointee.isSilenced.store(isOther, ordering: .relaxed)
                    if isOther { context.pointee.newRate.store(Int(rate), ordering: .releasing) }
                    return 0
                }, argument),
            jack_set_xrun_callback(
                client,
                { argument in
                    behind(argument)?.pointee.xruns.wrappingAdd(1, ordering: .relaxed)
                    return 0
                }, argument),
            jack_set_freewheel_callback(
                client,
                { starting, argument in
                    guard let context = behind(argument) else { return }
                    context.pointee.isFreewheeling.store(starting != 0, ordering: .relaxed)
                    context.pointee.freewheelChange.store(starting != 0 ? 1 : 2, ordering: .releasing)
                }, argument),
            jack_set_latency_callback(
                client,
                { mode, argument in
                    guard let context = behind(argument) else { return }
                    context.pointee.reportLatency(mode)
                }, argument),
            jack_set_port_connect_callback(
                client,
                { _, _, _, argument in
                    behind(argument)?.pointee.connectionsChanged.store(true, ordering: .relaxed)
                }, argument),
        ]
        jack_on_shutdown(
            client, { argument in _ = behind(argument)?.pointee.shutdown.store(1, ordering: .releasing) }, argument)
        jack_on_info_shutdown(
            client, { _, _, argument in _ = behind(argument)?.pointee.shutdown.store(2, ordering: .releasing) },
            argument)
        return results.allSatisfy { $0 == 0 }
    }

    /// Passes latencies through, longer by the graph's own: capture from the inputs to the outputs, playback from the
    /// outputs to the inputs. Ports without a connection say nothing about latency and are left out.
    func reportLatency(_ mode: jack_latency_callback_mode_t) {
        let isCapture = mode == JackCaptureLatency
        let (sources, sourceCount) = isCapture ? (inputPorts, inputCount) : (outputPorts, 2)
        let (targets, targetCount) = isCapture ? (outputPorts, 2) : (inputPorts, inputCount)
        var range = jack_latency_range_t(min: .max, max: 0)
        for i in 0..<sourceCount where jack_port_connected(sources[i]) > 0 {
            var found = jack_latency_range_t()
            jack_port_get_latency_range(sources[i], mode, &found)
            range.min = min(range.min, found.min)
            range.max = max(range.max, found.max)
        }
        if range.min > range.max { range.min = range.max }
        if !isCapture, !isFreewheeling.load(ordering: .relaxed) {
            // In freewheel servers report 0: what was known before holds again afterwards.
            playbackLatency.store(Int(range.max), ordering: .relaxed)
        }
        let own = UInt32(ownLatency.load(ordering: .relaxed))
        range.min += own
        range.max += own
        for i in 0..<targetCount { jack_port_set_latency_range(targets[i], mode, &range) }
    }
}

/// The context behind a callback's argument.
private func behind(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<JACKContext>? {
    argument?.assumingMemoryBound(to: JACKContext.self)
}
