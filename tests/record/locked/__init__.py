"""Tests of deals without a dealer."""
