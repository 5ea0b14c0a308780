"""The refusals of the contract, one class each: `except contextful.errors.BlobMissing as e: e.reference`."""

from contextful_contract.base import ContextfulError as ContextfulError
from contextful_contract.errors import *  # noqa: F403
