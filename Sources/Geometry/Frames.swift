// The named frames that rotations lead between. All are right-handed with x front, y left, z up (SOFA axes).
//
// See `Documentation/frames.md` for the one picture of them.

/// Fixed to the listener's head: x through the nose, y through the left ear.
package enum Head {}
/// The virtual stage the loudspeakers stand on: x towards the front centre.
package enum Stage {}
/// Fixed to the listening device or vehicle.
package enum Device {}
/// Fixed to the earth: z up, heading unknown.
package enum World {}
