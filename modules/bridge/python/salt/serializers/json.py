import json


def deserialize(stream_or_string, **options):
    return json.load(stream_or_string) if hasattr(stream_or_string, "read") else json.loads(stream_or_string)


def serialize(obj, **options):
    return json.dumps(obj, **options)
