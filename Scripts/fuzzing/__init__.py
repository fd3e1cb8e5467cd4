"""The parts of Scripts/fuzz."""
