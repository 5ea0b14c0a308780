"""Rows in Cloudflare D1 and blobs in R2, by way of the Worker beside this (run.journal.d1-profile)."""

from pathlib import Path

WORKER = Path(__file__).with_name("worker.js")
DEPLOYED = (WORKER, WORKER.with_name("wrangler.toml"))
