"""The dashboard: pages over state folders, for `fixloop dashboard` and for a service that mounts them."""
