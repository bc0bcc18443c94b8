"""The version. Its second number changes when the rounds of some seed do."""

__version__ = "0.2.0"
