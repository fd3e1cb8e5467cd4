"""Results of one trial: scores, heading errors over time, errors with other constants."""

import numpy as np

import estimators
import rides
import scores
import strapdown


def scored(program, trial):
    """Returns a row of the report for each estimator and number of axes."""
    recording = trial.load()
    if isinstance(recording, rides.Ride):
        return ridden(program, trial, recording)
    found = []
    for axes in trial.axes if recording.field is not None else (6,):
        for name, poses, deviations in estimates(program, recording, axes == 9):
            score = scores.score(recording, poses, free_heading=axes == 6, deviations=deviations)
            found.append({"collection": trial.collection, "group": trial.group, "trial": trial.name, "axes": axes,
                          "estimator": name, **score.facts(), "facts": trial.facts})
    return found


def estimates(program, recording, field=False):
    """Returns (name, poses, stated deviations or None) of all estimators on a recording."""
    found = [("Proscenium", *program.poses(recording, field))]
    vqf = estimators.vqf(recording, field)
    if vqf is not None:
        found.append(("VQF", vqf, None))
    if not field:
        found.append(("gyroscope", strapdown.gyroscope_alone(recording), None))
    return found


def ridden(program, trial, ride):
    """Returns rows as `scored` does, for the pose of the head relative to the device; their facts include the error in
    the parked vehicle."""
    found = []
    for riding, parked in zip(relative_estimates(program, ride.riding), relative_estimates(program, ride.parked)):
        (score, name), (still, _) = ((scores.score(pair.relative, poses, deviations=deviations), name)
                                     for pair, (name, poses, deviations) in ((ride.riding, riding), (ride.parked, parked)))
        found.append({"collection": trial.collection, "group": trial.group, "trial": trial.name, "axes": 6,
                      "estimator": name, **score.facts(), "facts": {**trial.facts, "parked": still.total}})
    return found


def relative_estimates(program, pair):
    """Returns as `estimates` does, for head to device: both filters together, each by itself, and two of VQF."""
    def apart(estimate):
        return rides.between(estimate(pair.head), estimate(pair.device))

    found = [("Proscenium", *program.relative_poses(pair.head, pair.device)),
             ("two filters", apart(lambda one: program.poses(one)[0]), None)]
    if estimators.VQF is not None:
        found.append(("VQF", apart(estimators.vqf), None))
    return found


def heading_series(program, trial):
    """Returns the series of a trial for figures.headings, 6 axes."""
    recording = trial.load()
    errors, stated = {}, None
    for name, poses, deviations in estimates(program, recording):
        errors[name] = np.degrees(scores.errors(scores.aligned(poses, recording), recording.truth)[2])
        if deviations is not None:
            stated = scores.since_alignment(deviations, recording)
    return f"{trial.collection}: {trial.name}", recording.times, errors, stated


def under_constants(program, trial, choices):
    """Returns total and heading of a trial for each of several settings {name: value}."""
    recording = trial.load()
    found = []
    for choice in choices:
        poses, _ = program.poses(recording, settings=[f"{name}={value:.9g}" for name, value in choice.items()])
        score = scores.score(recording, poses)
        found.append((score.total, score.heading))
    return found
