/// The pieces in which the sound of programmes is made on the audio thread.
package enum ProgrammeSlice {
    /// Most frames of one piece.
    package static var longest: Int { @_noLocks get { 256 } }
}
