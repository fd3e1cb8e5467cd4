import AudioIO
import Takes

/// Paths of the files of a take.
package enum CaptureNames {
    /// Returns the path of the stereo rendition of a sound field.
    package static func stereo(_ path: String) -> String { TakeName.marked(path, "-stereo") }
    /// Returns the path of the safety track of a sound field.
    package static func safety(_ path: String) -> String { TakeName.marked(path, "-safety") }
    /// Returns the path of the orientation file of a sound field.
    package static func orientation(_ path: String) -> String { path + ".orientation.csv" }
    /// Returns the paths of all files that a take may have.
    package static func all(_ path: String) -> [String] {
        [path, stereo(path), safety(path), orientation(path), MarkerLabels.path(of: path)]
    }
    /// Returns the path for the take after another take. None of its files exists. Nil if there is no such path.
    package static func next(after path: String) -> String? {
        TakeName.next(after: path) { all($0).allSatisfy(TakeName.isFree) }
    }
    /// First line of the orientation file.
    package static let orientationHeader = "t,w,x,y,z\n"
}
