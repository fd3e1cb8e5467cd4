import AudioIO
import Glibc
import Sweeps
import Synchronization

@testable import Measurement

/// Ears in memory. They receive the sound of a measurement through known responses, with noise and planted faults.
final class SimulatedEars: Sendable {
    /// Faults that can be planted in a take.
    enum Fault: String, CaseIterable, Sendable {
        /// Faults of any take.
        case clipped, exchanged, dropout, quiet, noise
        /// The head turns by 2° in the take.
        case moved
        /// The right microphone is 10 dB fainter than before.
        case fainter
        /// The right driver of headphones is silent.
        case unplugged
        /// The server is gone.
        case gone
    }

    /// Returns the sound at the left and the right ear for the signals of the sources.
    typealias Hearing = @Sendable (_ signals: [[Float]], _ number: Double, _ fault: Fault?) -> [[Float]]

    private struct State {
        var number = 0.0
        /// Faults by the number of the take, from the first after the search for the level.
        var faults: [Int: Fault] = [:]
        /// Fault that is in every sound.
        var lasting: Fault?
        var takes = 0
        /// Whether the head has turned by 2° in the take.
        var hasMoved = false
        /// Levels of all sounds, peak of the signals.
        var levels: [Double] = []
    }

    private let state = Mutex(State())
    /// Length of a take in frames; other sounds are prompts and the search for the level.
    private let length: Int
    /// Amplitude of the noise at the ears.
    private let noise: Float
    private let hears: Hearing

    init(_ sweeps: PlayedSweeps, noise: Float, hears: @escaping Hearing) throws {
        (length, self.noise, self.hears) = (try sweeps.plan().frames, noise, hears)
    }

    /// Plants faults by the number of the take, and one that is in every sound.
    func plan(_ faults: [Int: Fault], lasting: Fault? = nil) {
        state.withLock { ($0.faults, $0.lasting) = (faults, lasting) }
    }
    var takes: Int { state.withLock { $0.takes } }
    var levels: [Double] { state.withLock { $0.levels } }

    /// Turns the head to a yaw in degrees, or puts the headphones on for a fit.
    func prepare(_ number: Double) { state.withLock { ($0.number, $0.hasMoved) = (number, false) } }

    /// Returns the tracker's orientation, before and during a take.
    func look() -> HeadLooks.Look? {
        state.withLock { HeadLooks.Look(yaw: $0.number + ($0.hasMoved ? 2 : 0), pitch: 0) }
    }

    /// Plays the signals, and returns what the ears hear.
    func hear(_ signals: [[Float]]) throws(JACKError) -> ExchangedTake {
        let isTake = signals[0].count == length
        let (number, fault) = state.withLock { state -> (Double, Fault?) in
            state.levels.append(Double(signals.joined().reduce(0) { max($0, abs($1)) }))
            defer { if isTake { state.takes += 1 } }
            let fault = (isTake ? state.faults[state.takes] : nil) ?? state.lasting
            state.hasMoved = fault == .moved
            return (state.number, fault)
        }
        if fault == .gone { throw .serverGone }
        var ears = hears(signals, number, fault)
        var random: UInt64 = 88_172_645_463_325_252
        for ear in 0..<2 {
            for i in ears[ear].indices {
                random ^= random << 13
                random ^= random >> 7
                random ^= random << 17
                ears[ear][i] += noise * (Float(random >> 40) / Float(1 << 23) - 1)
            }
        }
        switch fault {
        case .clipped:
            let most = 0.5 * ears.joined().reduce(0) { max($0, abs($1)) }
            ears = ears.map { $0.map { max(-1, min(1, $0 / most)) } }
        case .exchanged: ears.swapAt(0, 1)
        case .dropout: return ExchangedTake(left: ears[0], right: ears[1], lostFrames: 256)
        case .quiet:
            for ear in 0..<2 {
                for i in ears[ear].indices { ears[ear][i] = 1e-4 * ears[ear][i] + 1e-4 * sin(Float(i * i % 9973)) }
            }
        case .noise:
            let (middle, most) = (ears[0].count / 2, ears.joined().reduce(0) { max($0, abs($1)) })
            for i in middle..<(middle + 2000) { ears[0][i] += 0.5 * most * sin(Float(i * i % 9973)) }
        case .fainter: ears[1] = ears[1].map { 0.316 * $0 }
        case .moved, .unplugged, .gone, nil: break
        }
        return ExchangedTake(left: ears[0], right: ears[1])
    }
}
