"""The version of the steersman distribution, as installed."""

from importlib.metadata import version

VERSION = version("steersman")
