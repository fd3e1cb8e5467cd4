// The named frames of rotations. All are right-handed with x front, y left, z up (SOFA axes).
//
// `Documentation/reference/frames.md` has a figure of them.

/// Fixed to the listener's head: x through the nose, y through the left ear.
package enum Head {}
/// The virtual stage of the loudspeakers: x towards the front centre.
package enum Stage {}
/// Fixed to the listening device or vehicle.
package enum Device {}
/// Fixed to the earth: z up, heading unknown.
package enum World {}
