import Gate

extension MotionRecording {
    /// Settings of the session that determine its samples.
    package struct Circumstances: Hashable, Sendable, Codable {
        /// Version of the text form.
        package var version = 1
        /// Sample rate, Hz. Frames of poses are counted at this rate.
        package var sampleRate: Double
        /// Frames per slice, the block in which the renderer works.
        package var slice: Int
        /// Frames per JACK period when the session began.
        package var period: Int
        /// Name of the layout.
        package var layout: String
        /// Name of the HRTF set.
        package var hrtf: String
        /// Specifications of the trackers, as on the command line.
        package var head: String, device: String
        /// Pull of yaw to the front, degrees per second.
        package var yawPull: Double
        /// Names of the room, of the stereo upmix, and of the headphones' equalisation; nil in logs without them.
        package var room: String?, upmix: String?, headphones: String?

        /// Creates the settings of a session.
        package init(
            sampleRate: Double, slice: Int, period: Int, layout: String, hrtf: String, head: String, device: String,
            yawPull: Double, room: String? = nil, upmix: String? = nil, headphones: String? = nil
        ) {
            (self.sampleRate, self.slice, self.period) = (sampleRate, slice, period)
            (self.layout, self.hrtf) = (layout, hrtf)
            (self.head, self.device, self.yawPull) = (head, device, yawPull)
            (self.room, self.upmix, self.headphones) = (room, upmix, headphones)
        }
    }
}

extension MotionRecording.Circumstances {
    /// Settings that a header without entries stands for. The rate, the slice and the period are invalid, because every
    /// header states them; see `flaw`.
    private static let absent = Self(
        sampleRate: 0, slice: 0, period: 0, layout: "", hrtf: "", head: "none", device: "none", yawPull: 0)

    /// Entries of `absent`. Finite numbers and texts can always be encoded.
    private static let absentEntries = try? JSONValue(encoding: absent)

    /// Reads the header of a motion log. Absent entries have the values of `absent`; unknown ones are ignored. Check
    /// `flaw` afterwards.
    init(header: JSONValue) throws(MotionRecordingError) {
        guard let number = header["version"]?.number, let version = Int(exactly: number) else { throw .notAMotionLog }
        guard version == 1 else { throw .newerVersion(version) }
        do { self = try header.filled(from: Self.absentEntries).decoded(as: Self.self) } catch { throw .notAMotionLog }
    }

    /// Fault of settings that were read from a motion log; nil if there is none.
    var flaw: String? {
        if !(sampleRate > 0 && sampleRate <= 768_000) {
            return "'motion.sampleRate' is missing or no rate above 0, up to 768000"
        }
        if !(1...8192).contains(slice) || !(1...8192).contains(period) {
            return "'motion.slice' or 'motion.period' is missing or not 1 to 8192"
        }
        return nil
    }
}
