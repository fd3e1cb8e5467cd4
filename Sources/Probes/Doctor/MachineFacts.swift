import AudioIO
import HRTF
import Signal

/// What `doctor` reads from a machine. All findings and next steps are functions of these facts alone.
package struct MachineFacts: Sendable {
    /// A JACK server that answered.
    package struct Server: Sendable {
        /// Whether the server is PipeWire.
        package var isPipeWire: Bool
        /// Sample rate.
        package var sampleRate: SampleRate
        /// Number of frames per period.
        package var periodFrames: Int
        /// Number of physical ports that take sound.
        package var playbackPorts: Int
    }

    /// A set of head-related responses that can be played.
    package struct PlayedSet: Sendable {
        /// Title of the set.
        package var name: String
        /// Path of the set's file.
        package var path: String
        /// Whether this is the computed set that comes with the program.
        package var isGenerated: Bool
    }

    /// The sink that `desktop on` has set up.
    package struct Desktop: Sendable {
        /// State in a few words, as "'proscenium.7.1' is heard at 'phones'".
        package var state: String
        /// Whether programs that play to the sink are heard.
        package var isHeard: Bool
        /// Command line that sets up the sink again.
        package var line: String

        /// Makes the fact; see the properties.
        package init(state: String, isHeard: Bool, line: String) {
            (self.state, self.isHeard, self.line) = (state, isHeard, line)
        }
    }

    /// A serial line or HID device that may be a tracker.
    package struct Device: Sendable {
        /// Name as a tracker: `serial:/dev/ttyUSB0`, `hid:/dev/hidraw0`.
        package var tracker: String
        /// Whether this process may read and write the device.
        package var isOpenable: Bool
        /// Group that owns the device; empty if its name is unknown.
        package var group: String
    }

    /// The JACK server, or the reason why no client can be opened.
    package var server: Result<Server, JACKError> = .failure(.noServer(detail: ""))
    /// Whether the process uses PipeWire's libjack.
    package var hasPipeWiresLibrary = false
    /// Whether `pw-jack` started the process, so that other commands need it too.
    package var isStartedByPWJack = false
    /// Whether the user's PipeWire runs.
    package var isPipeWireRunning = false
    /// Programs on the PATH, of `Doctor.programs`.
    package var programs: Set<String> = []
    /// ALSA's name of the card for headphones, such as `hw:PCH`; nil without a card that plays.
    package var card: String?
    /// Whether a thread of this process got real-time priority.
    package var isRealTimePermitted = true
    /// Memory that may be locked, bytes; nil without a limit.
    package var lockableBytes: UInt64?
    /// Whether the user is root.
    package var isRoot = false
    /// Groups to which the system's list assigns the user, also if the present login does not have them yet.
    package var groups: Set<String> = []
    /// Whether a file gives the group `audio` real-time priority.
    package var hasAudioLimits = false
    /// The set that plays by default, or the reason why none does.
    package var set: Result<PlayedSet, HRTFError>
    /// Path of the user's own default set. If the file exists, it is preferred to all other sets.
    package var ownSet = ""
    /// Ports of `Doctor.usualPorts` that are in use.
    package var busyPorts: [Int] = []
    /// Serial lines and HID devices that may be trackers.
    package var devices: [Device] = []
    /// The desktop's sink; nil if none is set up.
    package var desktop: Desktop?
    /// Names of this user's running sessions.
    package var sessions: [String] = []
}
