"""The commands for whoever runs a host."""
