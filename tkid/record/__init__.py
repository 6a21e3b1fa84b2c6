"""The record, a game's file: model, reading, writing, replay, chain, JSON."""
