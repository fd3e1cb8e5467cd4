/// Fixed to whatever the tracker is fastened to: the head, or the device the head listens to. x front, y left, z up.
package enum Body {}

/// Fixed to the tracker's own case: the axes its decoder yields.
package enum Tracker {}
