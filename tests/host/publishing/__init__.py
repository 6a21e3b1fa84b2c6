"""Tests of publishing: pages and webhooks."""
