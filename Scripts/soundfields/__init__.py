"""Generated sound fields: rooms, talkers, diffuse noise, and scenes of them, as first-order ambisonics (ACN, SN3D)."""
