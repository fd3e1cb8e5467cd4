/// What can be asked of playback as a whole.
package enum PlaybackCommand: Sendable, Equatable {
    /// Goes on after a lost route, and after interruptions that ended without a resume.
    case resume
    /// Someone asks for the stage; after `lease` seconds without asking again it is given back.
    case beginInterruption(name: String, InterruptionEffect, lease: Double?)
    /// Someone gives the stage back; without `resumes` what they did stays until the user resumes.
    case endInterruption(name: String, resumes: Bool)

    /// Seconds that a lease may last.
    package static let leases = 0.1...86_400
    /// Characters of an interrupter's name at most.
    package static let longestName = 64
}
