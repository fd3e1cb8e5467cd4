"""Independent listening: everything here is numpy and the raw SOFA file, nothing of the product."""
