import AudioIO
import Loading
import Session
import Signal

/// Plays a file into stages through JACK, for the demonstration.
final class Player: Sendable {
    private let player: JACKPlayer
    private let frame: UInt32

    /// Opens the file and connects it to the named clients. Sleeps `pause` microseconds in every cycle (for freewheel);
    /// starts again at the end if `loops`.
    init(
        file: String, into clients: [String], at frame: UInt32?, pause: UInt32 = 0, loops: Bool = false
    ) throws(SessionError) {
        do {
            player = try JACKPlayer(path: file)
            player.pause(inEachCycle: pause)
            if loops { player.loop() }
            for client in clients { try player.connect(to: client) }
        } catch let error as SoundFileError {
            throw SessionError(error)
        } catch {
            throw SessionError(.environment, "\(error)")
        }
        // By default the file starts in half a second, after the current period of every client.
        self.frame = frame ?? player.frameTime &+ UInt32(0.5 * player.sampleRate.hertz)
    }

    /// Plays the file, then silence, until `stops` returns true. If the client left at the end, jackd would stall in
    /// freewheel.
    func play(until stops: () -> Bool) async throws(SessionError) {
        player.play(atFrame: frame)
        while !stops() {
            if player.serverIsGone { throw SessionError(.environment, "the JACK server is gone") }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
