"""The secret that replacements are computed with, and the file beside the copy that keeps it with the names."""

import hashlib
import hmac
import json
import os
import secrets
import string
from collections.abc import Mapping
from pathlib import Path

from analyzer.errors import InputError

SECRET_BYTES = 32
LETTERS = (string.ascii_lowercase + string.digits).encode()
_FILLING = 64
"""Bytes that a filling repeats, so that it compresses about as well as what it stands for."""
_LETTER_OF = bytes(LETTERS[number % len(LETTERS)] for number in range(256))


class Secret:
    """Replaces bytes by bytes that only the holder of the key can compute again."""

    def __init__(self, key: bytes) -> None:
        """Take the key, SECRET_BYTES of randomness."""
        self.key = key

    def stream(self, purpose: str, content: bytes, size: int) -> bytes:
        """Return `size` bytes that depend on all of this; the same input gives the same bytes."""
        seed = hmac.digest(self.key, purpose.encode() + b"\0" + content, "sha256")
        return hashlib.shake_256(seed).digest(size)

    def letters(self, purpose: str, content: bytes, size: int) -> bytes:
        """Return the same as lower-case letters and digits."""
        return self.stream(purpose, content, size).translate(_LETTER_OF)

    def filling(self, content: bytes) -> bytes:
        """Return letters and digits in place of a payload, as many as it has bytes."""
        block = self.letters("payload", content, min(len(content), _FILLING))
        return (block * (len(content) // _FILLING + 1))[: len(content)]


def load_secret(path: Path) -> Secret:
    """Return the secret that a file of an earlier copy keeps. Raises InputError if it keeps none."""
    try:
        key = bytes.fromhex(json.loads(path.read_text("utf-8"))["secret"])
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise InputError(
            f"{path} holds no secret: {fault}", wanted="the file that anonymize wrote beside an earlier copy"
        ) from fault
    if len(key) != SECRET_BYTES:
        raise InputError(f"the secret in {path} has {len(key)} bytes", wanted=f"{SECRET_BYTES} bytes in hexadecimal")
    return Secret(key)


def new_secret() -> Secret:
    """Return a secret that nobody has used before."""
    return Secret(secrets.token_bytes(SECRET_BYTES))


def keep_secret(path: Path, secret: Secret, names: Mapping[str, str]) -> None:
    """Write the secret and what each name became into a file that only its owner may read."""
    told = {"secret": secret.key.hex(), "names": dict(sorted(names.items()))}
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as stream:  # noqa: PTH123 - the descriptor has the mode
        os.fchmod(descriptor, 0o600)
        json.dump(told, stream, indent=1, ensure_ascii=False)
        stream.write("\n")
