"""Sound fields made by code: rooms, talkers, diffuse noise, and scenes of them, as first-order ambisonics (ACN, SN3D)."""
