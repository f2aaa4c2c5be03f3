import salt.utils.yaml


def deserialize(stream_or_string, **options):
    return salt.utils.yaml.safe_load(stream_or_string)


def serialize(obj, **options):
    return salt.utils.yaml.safe_dump(obj, **options)
