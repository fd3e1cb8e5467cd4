import AudioMix

extension CameraPath {
    /// Description of the path. It is appended to the description of an Audio Mix.
    package var words: String { ", the camera along \(keys.count) moments" }
}
