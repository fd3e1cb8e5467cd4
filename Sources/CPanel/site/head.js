// The head between two poses that were told, and how points of the stage are seen from the viewer's place.
// Frames: x front, y left, z up; yaw left, pitch up, roll right ear down, degrees.

const radians = Math.PI / 180;

/** The rotation of yaw, pitch and roll: Rz(yaw)·Ry(−pitch)·Rx(roll), by rows. */
export function rotation([yaw, pitch, roll]) {
  const [cy, sy] = [Math.cos(yaw * radians), Math.sin(yaw * radians)];
  const [cp, sp] = [Math.cos(pitch * radians), Math.sin(pitch * radians)];
  const [cr, sr] = [Math.cos(roll * radians), Math.sin(roll * radians)];
  return [
    [cy * cp, -cy * sp * sr - sy * cr, -cy * sp * cr + sy * sr],
    [sy * cp, -sy * sp * sr + cy * cr, -sy * sp * cr - cy * sr],
    [sp, cp * sr, cp * cr],
  ];
}

export const turned = (rows, [x, y, z]) => rows.map(row => row[0] * x + row[1] * y + row[2] * z);

/** A point at a distance, by azimuth (left) and elevation (up). */
export function towards(azimuth, elevation, distance = 1) {
  const flat = distance * Math.cos(elevation * radians);
  return [flat * Math.cos(azimuth * radians), flat * Math.sin(azimuth * radians), distance * Math.sin(elevation * radians)];
}

const nearest = (from, to) => from + ((to - from + 540) % 360 + 360) % 360 - 180;

/** Poses as they come, and the pose to be drawn at a moment: between the last two, as late as they are apart. */
export class Poses {
  pose = [0, 0, 0];
  #from = [0, 0, 0]; #since = 0; #span = 0; #newest = -Infinity;

  take(pose, now) {
    this.#from = this.at(now);
    this.#span = Math.min(40, now - this.#newest);
    [this.pose, this.#since, this.#newest] = [pose, now, now];
  }

  at(now) {
    const share = this.#span > 0 ? Math.min(1, (now - this.#since) / this.#span) : 1;
    return this.pose.map((angle, axis) => {
      const from = this.#from[axis];
      return from + (nearest(from, angle) - from) * share;
    });
  }

  /** Whether the pose drawn at this moment is the last one that will be. */
  isAtRest(now) { return now - this.#since >= this.#span; }
}

/** Cameras: from where the stage is looked at. `right`, `up`: the picture's axes in the stage's frame; `eye`: distance for perspective. */
export const cameras = {
  above: { right: [0, -1, 0], up: [1, 0, 0], eye: Infinity },
  behind: { right: [0, -1, 0], up: [0, 0, 1], eye: Infinity },
  perspective: { right: [-0.5, -0.866, 0], up: [0.433, -0.25, 0.866], eye: 4.2 },
};

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** A point of the stage in the picture: x to the right, y up, how near it is (the more the nearer), and how large things are there. `isMirror`:
    what is farthest away for the camera is nearest, as in a mirror. */
export function seen(camera, point) {
  const depth = dot(point, cross(camera.right, camera.up)) * (camera.isMirror ? -1 : 1);
  const scale = camera.eye === Infinity ? 1 : camera.eye / (camera.eye - depth);
  return { x: dot(point, camera.right) * scale, y: dot(point, camera.up) * scale, depth, scale };
}
