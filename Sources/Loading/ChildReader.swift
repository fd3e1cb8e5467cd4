import HRTF
import Processes
import Rooms
import SOFA
import Signal

/// Reads each SOFA file in a child process, which also prepares an HRTF set for rendering. If a file crashes, blocks or
/// exhausts the child, the result is an error, and playback continues.
///
/// The child is this program (`proscenium sofa read`); a set read by the child is bit-identical to one read in this
/// process. The start of the child and the copy of the result take some tens of milliseconds. May be used on any thread
/// but the audio thread.
package struct ChildReader: SOFAReader {
    /// Command that starts the child.
    private let command: ReadingCommand
    /// Timeouts without a message from the child, seconds: while the child reads the file, and while it prepares the
    /// set.
    private let patience: (reading: Double, preparing: Double)

    /// Default limits of the child. For comparison: 41 527 directions of 512 samples, prepared for 96 kHz, take 0.6 GB
    /// and 31 s of processor time.
    package static let usualLimits = ProcessLimits(
        fileBytes: 1 << 31, memoryBytes: 1 << 33, processorSeconds: 600)

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - program: the program to start; this program by default.
    ///   - words: arguments of the program before the request.
    ///   - patience: timeouts without a message, seconds, not counting the wait for a processor: while the child reads
    ///     a block of the file (8 MB), and while it prepares a set.
    ///   - isWanted: whether the result is still needed; if not, the child is ended.
    package init(
        program: String = "/proc/self/exe", words: [String] = ["sofa", "read"],
        limits: ProcessLimits = ChildReader.usualLimits, patience: (reading: Double, preparing: Double) = (60, 900),
        isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        command = ReadingCommand(program: program, words: words, limits: limits, isWanted: isWanted)
        self.patience = patience
    }

    /// Lets the child read and prepare an HRTF set, and returns the set.
    package func set(
        at path: String, sampleRate: SampleRate?, options: HRTFOptions, reading: @escaping ReadingProgress,
        whenRead: () -> Void
    ) throws(HRTFError) -> PreparedSet {
        let content = ReadingTalk.Content.set(sampleRate: sampleRate?.hertz, options: options)
        let process = try Self.file { () throws(SOFAError) in try ReadingProcess(path, as: content, by: command) }
        var reply = try Self.file { () throws(SOFAError) in
            try process.next(within: patience.reading, progress: reading)
        }
        if case .isRead = reply {
            whenRead()
            reply = try Self.file { () throws(SOFAError) in try process.next(within: patience.preparing) }
        }
        switch reply {
        case .set(let count):
            let bytes = try Self.file { () throws(SOFAError) in try process.take(count, of: UInt8.self) }
            guard let set = bytes.withUnsafeBytes({ PreparedSet(decoding: $0) }) else {
                throw .file(process.nonsense)
            }
            return set
        case .fault(.set(let error)): throw error
        default: throw .file(process.nonsense)
        }
    }

    /// Converts the errors of reading a file.
    private static func file<Value>(_ work: () throws(SOFAError) -> Value) throws(HRTFError) -> Value {
        do throws(SOFAError) { return try work() } catch { throw .file(error) }
    }

    /// Reads the responses of measured headphones.
    package func headphones(at path: String) throws(SOFAError) -> HeadphoneResponses {
        let process = try ReadingProcess(path, as: .headphones, by: command)
        switch try process.next(within: patience.reading) {
        case .headphones(let facts):
            let samples = try process.take(facts.responseCount, of: Float.self)
            guard let found = HeadphoneResponses(facts, responses: samples) else { throw process.nonsense }
            return found
        case .fault(.file(let error)): throw error
        default: throw process.nonsense
        }
    }

    /// Opens a room whose responses the child reads on request.
    package func room(at path: String) throws(RoomError) -> RoomViews {
        let process: ReadingProcess
        let reply: ReadingTalk.Reply
        do throws(SOFAError) {
            process = try ReadingProcess(path, as: .room, by: command)
            reply = try process.next(within: patience.reading)
        } catch {
            throw .file(error)
        }
        let patience = patience.reading
        switch reply {
        case .room(let facts):
            let views = RoomViews(facts) { key, frames throws(RoomError) in
                let request = ReadingTalk.ResponseRequest(key: key, frames: max(0, min(frames, facts.sampleCount)))
                return try Self.responses(request, from: process, patience)
            }
            guard let views else { throw .file(process.nonsense) }
            return views
        case .fault(.room(let error)): throw error
        default: throw .file(process.nonsense)
        }
    }

    /// Requests a room's responses at both ears from the child, and returns them.
    private static func responses(
        _ request: ReadingTalk.ResponseRequest, from process: ReadingProcess, _ patience: Double
    ) throws(RoomError) -> (left: [Float], right: [Float]) {
        process.say(request)
        let reply: ReadingTalk.Reply
        do throws(SOFAError) { reply = try process.next(within: patience) } catch { throw .file(error) }
        switch reply {
        case .responses(request.frames):
            let samples: [Float]
            do throws(SOFAError) { samples = try process.take(2 * request.frames, of: Float.self) } catch {
                throw .file(error)
            }
            guard samples.allSatisfy(\.isFinite) else { throw .file(process.nonsense) }
            return (Array(samples[..<request.frames]), Array(samples[request.frames...]))
        case .fault(.room(let error)): throw error
        default: throw .file(process.nonsense)
        }
    }
}
