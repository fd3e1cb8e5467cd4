import AudioIO
import Takes

/// Names of the files of a take.
package enum CaptureNames {
    /// The stereo rendition beside a sound field.
    package static func stereo(_ path: String) -> String { TakeName.marked(path, "-stereo") }
    /// The safety track beside it.
    package static func safety(_ path: String) -> String { TakeName.marked(path, "-safety") }
    /// How the device was turned, beside it.
    package static func orientation(_ path: String) -> String { path + ".orientation.csv" }
    /// All files that a take of a name may have.
    package static func all(_ path: String) -> [String] {
        [path, stereo(path), safety(path), orientation(path), MarkerLabels.path(of: path)]
    }
    /// The name of a take that goes on where another ended, none of whose files is there.
    package static func next(after path: String) -> String {
        TakeName.next(after: path) { all($0).allSatisfy(TakeName.isFree) }
    }
    /// The first line of that text.
    package static let orientationHeader = "t,w,x,y,z\n"
}
