from urllib import error, parse, request
