"""Suites: written once against a port, subclassed by the test of each adapter."""

from contextful.testing.conformance.blobs import BlobsSuite
from contextful.testing.conformance.bucket import BucketSuite
from contextful.testing.conformance.execution import ExecutionSuite
from contextful.testing.conformance.rows import RowsSuite

__all__ = ["BlobsSuite", "BucketSuite", "ExecutionSuite", "RowsSuite"]
