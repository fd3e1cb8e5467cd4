import Signal
import Soundstage

/// Reasons why a stage cannot be rendered.
package enum RenderingError: Error, Equatable, CustomStringConvertible {
    /// The slice is not 64, 128 or 256 frames.
    case unsupportedSlice(Int)
    /// The fade is not half the slice, the slice or two slices, or it is longer than 256 frames.
    case unsupportedFade(frames: Int, slice: Int)
    /// There are more input channels, or more sources including the voices, than a stage can render.
    case tooManySources(Int, most: Int)
    /// There are more programmes with loudspeakers than a stage can render.
    case tooManyProgrammes(Int, most: Int)
    /// Stereo cannot be upmixed to a programme's layout.
    case impossibleUpmix(UpmixError)
    /// A source's direction is not a unit vector of finite numbers, a gain is not finite, or its width is not in 0…π.
    case unusableSource(index: Int)
    /// A source has the index of a shell (a measured distance) that the field does not have.
    case noSuchShell(source: Int, shell: Int, shells: Int)
    /// The filters were prepared for another sample rate.
    case rateMismatch(filters: SampleRate, session: SampleRate)
    /// The filters have more taps than the stage has memory for.
    case filtersTooLong(taps: Int, most: Int)
    /// The room was prepared for another sample rate.
    case roomRateMismatch(room: SampleRate, session: SampleRate)
    /// The room was prepared for a stage with another number of sources.
    case roomForOtherStage(sources: Int, inputs: Int)
    /// The trim is not a finite level.
    case unusableTrim(Decibels)
    /// The pose log is empty.
    case emptyPoseLog
    /// A pose is not later than the previous one. Rows count from 0.
    case posesOutOfOrder(row: Int, seconds: Double)
    /// A pose has numbers that are not finite, or a quaternion of length zero. Rows count from 0.
    case unusablePose(row: Int)

    /// Message with the fault, and with the location and a remedy if there are any.
    package var description: String {
        switch self {
        case .unsupportedSlice(let slice):
            "A slice of \(slice) frames is not offered; choose 64, 128 or 256."
        case .unsupportedFade(let frames, let slice):
            "A fade of \(frames) frames does not fit a slice of \(slice); choose \(slice / 2), \(slice) or \(2 * slice), "
                + "at most 256."
        case .tooManySources(let count, let most):
            "\(count) input channels or sources are more than a stage can have; the most is \(most)."
        case .tooManyProgrammes(let count, let most):
            "\(count) inputs are more than a session can have; the most is \(most)."
        case .impossibleUpmix(let error): error.description
        case .unusableSource(let index):
            "Input \(index + 1) has no usable direction, gain or width; directions and gains must be finite, the width 0 to 180 degrees."
        case .noSuchShell(let source, let shell, let shells):
            "Input \(source + 1) needs shell \(shell + 1) of an HRTF set prepared for \(shells) distances; load the set for this layout."
        case .rateMismatch(let filters, let session):
            "The HRTF set was prepared for \(filters) but the session runs at \(session); load the set again."
        case .filtersTooLong(let taps, let most):
            "Filters of \(taps) taps are longer than this stage can take (\(most)); start again with this HRTF set."
        case .roomRateMismatch(let room, let session):
            "The room was prepared for \(room) but the session runs at \(session); load the room again."
        case .roomForOtherStage(let sources, let inputs):
            "The room was prepared for \(sources) sources but this stage has \(inputs); load the room again for this layout."
        case .unusableTrim(let trim):
            "A trim of \(trim.value) dB is not a level; give a finite number of dB."
        case .emptyPoseLog:
            "The pose log holds no pose; give at least one row t,w,x,y,z."
        case .posesOutOfOrder(let row, let seconds):
            "Pose \(row + 1) of the log (t = \(seconds) s) is not later than the one before it; sort the log by time."
        case .unusablePose(let row):
            "Pose \(row + 1) of the log is not a time and a quaternion other than zero; correct or remove the row."
        }
    }
}
