import AudioMix

extension CameraPath {
    /// Description of the path, to follow that of a mix.
    package var words: String { ", the camera along \(keys.count) moments" }
}
