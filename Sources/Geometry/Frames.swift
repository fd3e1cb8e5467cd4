// The frames of rotations. All are right-handed with x front, y left, z up (SOFA axes).
//
// `Documentation/reference/frames.md` has a figure of them.

/// Frame fixed to the listener's head: x through the nose, y through the left ear.
package enum Head {}
/// Frame of the virtual stage of the loudspeakers: x towards the front centre.
package enum Stage {}
/// Frame fixed to the listening device or to a vehicle.
package enum Device {}
/// Frame fixed to the earth: z up, arbitrary heading.
package enum World {}
