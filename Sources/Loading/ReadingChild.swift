import HRTF
import Processes
import Rooms
import SOFA
import Signal

/// The part of the program that runs in a child process (`ChildReader`). The child reads one file on request, writes
/// the samples into the given memory, and reports the result. A file that causes a crash ends only the child.
package enum ReadingChild {
    /// Descriptor of the memory that the parent passes.
    package static var passed: Int32 { ReadingMemory.passed }

    /// Serves one request and exits; with a room, it exits after the parent has closed the connection.
    ///
    /// - Throws: `SessionError` if the request is invalid.
    package static func run(_ line: String) throws(SessionError) -> Never {
        guard let request = ChildMessage.read(ReadingTalk.Request.self, line) else {
            throw SessionError(
                .usage, "this command is started only by a session; '\(line)' is not a valid request")
        }
        let inbox = LineInbox()
        let parent = ParentLine(request.limits) { inbox.put($0) }
        func say(_ reply: ReadingTalk.Reply) { parent.say(ChildMessage.line(reply)) }
        do throws(ReadingTalk.Fault) {
            switch request.content {
            case .set(let hertz, let options):
                say(try set(request.path, hertz, options, say))
            case .headphones:
                say(try headphones(request.path))
            case .room:
                let views = try room(request.path)
                say(.room(views.facts))
                while true {
                    guard let wanted = ChildMessage.read(ReadingTalk.ResponseRequest.self, inbox.take()) else {
                        continue
                    }
                    say(try responses(views, wanted))
                }
            }
        } catch {
            say(.fault(error))
        }
        parent.end()
    }

    private static func set(
        _ path: String, _ hertz: Double?, _ options: HRTFOptions, _ say: (ReadingTalk.Reply) -> Void
    ) throws(ReadingTalk.Fault) -> ReadingTalk.Reply {
        do throws(HRTFError) {
            let rate = hertz.flatMap { SampleRate(hertz: $0) }
            let prepared = try withoutActuallyEscaping(say) { say throws(HRTFError) in
                try PreparedSet(
                    readingFrom: path, sampleRate: rate, options: options,
                    reading: {
                        say(.progress($0))
                        return true
                    }, whenRead: { say(.isRead) })
            }
            guard let bytes = try? prepared.encoded(), bytes.withUnsafeBytes({ memory.write($0) }) else {
                throw .file(noRoom(path))
            }
            return .set(bytes: bytes.count)
        } catch {
            throw .set(error)
        }
    }

    private static func headphones(_ path: String) throws(ReadingTalk.Fault) -> ReadingTalk.Reply {
        do throws(SOFAError) {
            let found = try HeadphoneResponses(contentsOf: path)
            guard found.responses.withUnsafeBytes({ memory.write($0) }) else { throw noRoom(path) }
            return .headphones(found.facts)
        } catch {
            throw .file(error)
        }
    }

    private static func room(_ path: String) throws(ReadingTalk.Fault) -> RoomViews {
        do throws(RoomError) { return try RoomViews(sofaAt: path) } catch { throw .room(error) }
    }

    private static func responses(
        _ views: RoomViews, _ request: ReadingTalk.ResponseRequest
    ) throws(ReadingTalk.Fault) -> ReadingTalk.Reply {
        do throws(RoomError) {
            let (left, right) = try views.read(request.key, request.frames)
            let isThere =
                left.withUnsafeBytes { memory.write($0) }
                && right.withUnsafeBytes { memory.write($0, at: MemoryLayout<Float>.stride * left.count) }
            guard isThere, left.count == right.count else { throw .file(noRoom(views.path)) }
            return .responses(frames: left.count)
        } catch {
            throw .room(error)
        }
    }

    private static var memory: ReadingMemory { ReadingMemory(descriptor: ReadingMemory.passed) }

    private static func noRoom(_ path: String) -> SOFAError {
        .noReader(path: path, reason: "there is not enough memory for the result")
    }
}
