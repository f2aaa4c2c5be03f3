import configparser
import functools
import io
import itertools
import queue
import urllib.error
import urllib.parse
import urllib.request
from io import StringIO

cStringIO = StringIO
range = xrange = range
map, filter, zip, input = map, filter, zip, input
zip_longest, reduce = itertools.zip_longest, functools.reduce
