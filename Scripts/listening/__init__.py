"""Independent measurements: this package uses only numpy and the raw SOFA file, no code of the product."""
