__version__ = "3006.0"
__saltstack_version__ = __version__
