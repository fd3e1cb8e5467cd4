import AudioIO
import Signal

/// Counterpart of `JACKExchange` in memory: a function is the room.
package final class MemoryExchange: SweepExchange {
    /// Sample rate of the room's recordings.
    package let sampleRate: SampleRate
    /// Names of the loudspeakers, in the order of the signals.
    package let loudspeakers: [String]
    private let room: @Sendable ([[Float]]) throws(JACKError) -> ExchangedTake

    /// Takes a room, which returns the recording of a sound `[loudspeaker][frame]`.
    package init(
        sampleRate: SampleRate, loudspeakers: [String],
        room: @escaping @Sendable ([[Float]]) throws(JACKError) -> ExchangedTake
    ) {
        (self.sampleRate, self.loudspeakers, self.room) = (sampleRate, loudspeakers, room)
    }

    package func exchange(_ signals: [[Float]], goesOn: () -> Bool) async throws(JACKError) -> ExchangedTake? {
        let take = try room(signals)
        return goesOn() ? take : nil
    }

    package func close() -> Bool { true }
}
