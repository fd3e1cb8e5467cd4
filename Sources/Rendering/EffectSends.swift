import Convolution
import Signal
import Soundstage

/// Inputs of a stage's effects on the audio thread. The input of an effect is a sum of the feeds (loudspeaker signals)
/// of other programmes.
///
/// The sends belong to a `ProgrammeBus`, and are fixed for the stage's life.
struct EffectSends: ~Copyable {
    private struct Tap: BitwiseCopyable {
        /// Index of the sending source (a virtual loudspeaker), counted through all programmes.
        let from: Int
        /// Index of the receiving source, counted in the same way.
        let to: Int
        let gain: Float
    }
    private let taps: UnsafeMutablePointer<Tap>
    private let tapCount: Int
    /// Indices of the effects' sources.
    private let targets: UnsafeMutablePointer<Int>
    private let targetCount: Int

    /// Makes the sends of all programmes of a stage, given in their order.
    init(_ programmes: [StageProgramme]) {
        var first: [Int] = []
        var sources = 0
        for stage in programmes {
            first.append(sources)
            sources += stage.programme.loudspeakerCount
        }
        var (ends, made): ([Int], [Tap]) = ([], [])
        for (index, stage) in programmes.enumerated() where stage.programme.isEffect {
            ends += (0..<stage.programme.layout.channelCount).map { first[index] + $0 }
            for send in stage.sends {
                for (output, row) in send.matrix.gains.enumerated() {
                    for (input, gain) in row.enumerated() where gain != 0 && send.gain != 0 {
                        made.append(
                            Tap(
                                from: first[send.programme] + input, to: first[index] + output,
                                gain: Float(gain * send.gain)))
                    }
                }
            }
        }
        (tapCount, targetCount) = (made.count, ends.count)
        taps = .allocate(capacity: max(1, made.count))
        taps.initialize(from: made, count: made.count)
        targets = .allocate(capacity: max(1, ends.count))
        targets.initialize(from: ends, count: ends.count)
    }

    deinit {
        taps.deallocate()
        targets.deallocate()
    }

    /// Whether the stage has no effects.
    var isEmpty: Bool { @_noLocks get { targetCount == 0 } }

    /// Fills the effects' rows with the sums of their sends, for `count` frames from frame `position` on. The rows of
    /// the other programmes must already hold their feeds. Cost: one multiply-add per frame and non-zero gain.
    @_noLocks
    func fill(_ history: borrowing SourceHistory, at position: Int, count: Int) {
        for index in 0..<targetCount {
            Samples.clear(history.samples(ofSource: targets[index]) + position, count: count)
        }
        for index in 0..<tapCount {
            let tap = taps[index]
            Samples.add(
                history.samples(ofSource: tap.from) + position, gain: tap.gain,
                to: history.samples(ofSource: tap.to) + position, count: count)
        }
    }
}
