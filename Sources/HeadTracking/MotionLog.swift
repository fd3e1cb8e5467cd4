import Geometry
import IMU

/// A recorded motion of the head against the stage: what `--poses` reads and `--record-poses` writes.
///
/// CSV `t,w,x,y,z`; times are seconds of sound time.
package typealias MotionLog = OrientationLog<Head, Stage>
