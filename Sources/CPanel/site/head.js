// The head's pose between two received poses, and the projection of points of the stage to the picture. Frames: x
// front, y left, z up. Angles: yaw left, pitch up, roll right ear down, in degrees.

const radians = Math.PI / 180;

/** Returns the rotation matrix of yaw, pitch and roll, Rz(yaw)·Ry(−pitch)·Rx(roll), by rows. */
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

/** Returns the point at an azimuth (left), an elevation (up) and a distance. */
export function towards(azimuth, elevation, distance = 1) {
  const flat = distance * Math.cos(elevation * radians);
  return [flat * Math.cos(azimuth * radians), flat * Math.sin(azimuth * radians), distance * Math.sin(elevation * radians)];
}

const nearest = (from, to) => from + ((to - from + 540) % 360 + 360) % 360 - 180;

/** Received poses, and the pose to be drawn at a moment. It is interpolated between the last two poses, over the
    interval between them but at most 40 ms. */
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

  /** Whether the pose at this moment is the last received one, so that it does not change until another arrives. */
  isAtRest(now) { return now - this.#since >= this.#span; }
}

/** Cameras. `right`, `up`: axes of the picture in the stage's frame; `eye`: distance of the eye, which gives the
    perspective. */
export const cameras = {
  above: { right: [0, -1, 0], up: [1, 0, 0], eye: Infinity },
  behind: { right: [0, -1, 0], up: [0, 0, 1], eye: Infinity },
  perspective: { right: [-0.5, -0.866, 0], up: [0.433, -0.25, 0.866], eye: 4.2 },
};

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Returns a point of the stage in the picture: x to the right, y up, `depth` (greater is nearer), and the scale of
    things at this depth. `isMirror`: what is farthest from the camera is nearest in the picture. */
export function seen(camera, point) {
  const depth = dot(point, cross(camera.right, camera.up)) * (camera.isMirror ? -1 : 1);
  const scale = camera.eye === Infinity ? 1 : camera.eye / (camera.eye - depth);
  return { x: dot(point, camera.right) * scale, y: dot(point, camera.up) * scale, depth, scale };
}
