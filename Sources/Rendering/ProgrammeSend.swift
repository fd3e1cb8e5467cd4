import Soundstage

/// Send from a programme to an effect.
package struct ProgrammeSend: Hashable, Sendable {
    /// Index of the sending programme among the stage's programmes.
    package var programme: Int
    /// Matrix from the channels of the sending programme's layout to those of the effect's.
    package var matrix: ChannelMatrix
    /// Linear gain of the send.
    package var gain: Double

    /// Makes a send; see the properties.
    package init(programme: Int, matrix: ChannelMatrix, gain: Double) {
        self.programme = programme
        self.matrix = matrix
        self.gain = gain
    }
}
