"""Parts of Scripts/fuzz."""
