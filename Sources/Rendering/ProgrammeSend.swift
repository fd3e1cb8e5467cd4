import Soundstage

/// A programme that is sent to an effect.
package struct ProgrammeSend: Hashable, Sendable {
    /// The programme's number.
    package var programme: Int
    /// From its layout's channels to those of the effect.
    package var matrix: ChannelMatrix
    /// Linear gain of the send.
    package var gain: Double

    /// A send; see the properties.
    package init(programme: Int, matrix: ChannelMatrix, gain: Double) {
        self.programme = programme
        self.matrix = matrix
        self.gain = gain
    }
}
