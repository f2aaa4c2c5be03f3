import base64
import hashlib


def md5_digest(instr):
    return hashlib.md5(instr.encode()).hexdigest()


def sha1_digest(instr):
    return hashlib.sha1(instr.encode()).hexdigest()


def sha256_digest(instr):
    return hashlib.sha256(instr.encode()).hexdigest()


def sha512_digest(instr):
    return hashlib.sha512(instr.encode()).hexdigest()


def base64_b64encode(instr):
    return base64.b64encode(instr.encode()).decode()


def base64_b64decode(instr):
    return base64.b64decode(instr).decode()


def get_hash(path, form="sha256", chunk_size=65536):
    h = hashlib.new(form)
    with open(path, "rb") as f:
        for chunk in iter(lambda: f.read(chunk_size), b""):
            h.update(chunk)
    return h.hexdigest()
