"""The served face: what a credential may ask over HTTP of the runs that a store holds."""
