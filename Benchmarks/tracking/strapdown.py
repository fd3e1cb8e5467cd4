"""Orientation from angular rate alone, and from gravity alone. Quaternions [.., 4] as w x y z, body to world."""

import numpy as np

import places
from listening import rotations


def from_rotation_vectors(vectors):
    """Returns quaternions of rotation vectors [n][3], radians."""
    angles = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.hstack([np.cos(angles / 2), vectors * np.sinc(angles / (2 * np.pi)) / 2])


def integrated(start, turns):
    """Returns the poses [n][4] after each of the turns [n][3] (rotation vectors in body axes, radians), from the pose
    `start`.

    Products within blocks of √n, all blocks at once, then products of the blocks: O(n) in √n array operations."""
    count = len(turns)
    size = int(np.ceil(np.sqrt(count)))
    steps = np.zeros((size * size, 4))
    steps[:, 0] = 1
    steps[:count] = from_rotation_vectors(turns)
    blocks = steps.reshape(size, size, 4)
    for n in range(1, size):
        blocks[:, n] = rotations.multiply(blocks[:, n - 1], blocks[:, n])
    before = np.empty((size, 4))
    pose = np.asarray(start, float)
    for n in range(size):
        before[n] = pose
        pose = rotations.multiply(pose, blocks[n, -1])
    poses = rotations.multiply(before[:, None], blocks).reshape(-1, 4)[:count]
    return poses / np.linalg.norm(poses, axis=1, keepdims=True)


def levelled(force):
    """Returns the pose without heading in which the mean of `force` [n][3] points up."""
    x, y, z = force.mean(0) / np.linalg.norm(force.mean(0))
    # The shortest turn from the measured direction to (0, 0, 1); upside down it is about x.
    pose = np.array([1 + z, y, -x, 0]) if z > -0.999999 else np.array([0, 1.0, 0, 0])
    return pose / np.linalg.norm(pose)


def gyroscope_alone(recording):
    """Returns the poses [n][4] of the gyroscope without correction, from the pose levelled by the first half second."""
    steps = np.diff(recording.times, prepend=recording.times[0] - 1 / recording.sample_rate)
    start = levelled(recording.force[:int(0.5 * recording.sample_rate)])
    return integrated(start, recording.rate * steps[:, None])
