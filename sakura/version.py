"""The version. Its second number changes when the rounds of some seed do."""

__version__ = "0.1.0"
