"""Tests of the owner's desk."""
