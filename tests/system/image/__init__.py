"""Builds and runs the image without a container engine and without a container registry."""
