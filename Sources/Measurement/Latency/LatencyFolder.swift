import Takes

/// Temporary folder of a latency measurement. It is removed with the last reference to it, and at the latest when the
/// process ends.
package final class LatencyFolder: Sendable {
    private let folder = TemporaryFolder()

    /// Makes the folder.
    ///
    /// - Throws: `noFolder`.
    package init() throws(LatencyError) {
        do throws(TakeError) { try folder.make() } catch { throw .noFolder(reason: error.description) }
    }

    /// Path of the sound that is played.
    package var programme: String { folder.path + "/programme.wav" }
    /// Path of the recorded ears.
    package var ears: String { folder.path + "/ears.wav" }
    /// Path of the recorded motion.
    package var motion: String { folder.path + "/motion" }

    /// Removes the folder.
    package func remove() { folder.remove() }
}
