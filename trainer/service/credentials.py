"""What may be a name and a password, how names are compared, and recovery codes."""

import hashlib
import secrets
from functools import lru_cache
from unicodedata import normalize

from trainer.service.passwords import hash_password, is_password

USERNAME_LENGTHS = range(2, 33)
# Of a name as it is compared, which may be longer than the name.
LONGEST_KEY = 128
PASSWORD_LENGTHS = range(8, 129)
# Crockford's base 32: no I, L, O or U, which are read and heard as something else.
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MISREAD = str.maketrans("ILO", "110")
_GROUPS, _GROUP = 5, 5


class CredentialError(ValueError):
    """A name or password that cannot be; ``field`` says which, the message why."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def username_of(text: str) -> str:
    """A name as it is shown: in Unicode's composed compatibility form, single spaces, nothing invisible.

    >>> username_of("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    name = " ".join(normalize("NFKC", text).split())
    if len(name) not in USERNAME_LENGTHS:
        raise CredentialError("username", f"A name has {_span(USERNAME_LENGTHS)} characters.")
    if not name.isprintable():
        raise CredentialError("username", "A name is made of letters, digits, signs and spaces.")
    return name


def username_key(text: str) -> str:
    """A name as it is compared: without regard to case, width, or how an accent is written.

    >>> username_key("ADA LOVELACE") == username_key(" ada  lovelace")
    True
    """
    return " ".join(normalize("NFKC", normalize("NFKC", text).casefold()).split())


def check_new_password(password: str, username: str) -> None:
    """``CredentialError`` where a password is too short, too long, the name itself, or among the commonest."""
    if len(password) not in PASSWORD_LENGTHS:
        raise CredentialError("password", f"A password has {_span(PASSWORD_LENGTHS)} characters.")
    if username_key(password) == username_key(username):
        raise CredentialError("password", "Choose a password that is not your name.")
    if password.casefold() in _common_passwords():
        raise CredentialError("password", "That is one of the most common passwords. Choose another.")


def hash_of_password(password: str) -> str:
    """A hash to be stored, the same however an accent was typed."""
    return hash_password(_as_hashed(password))


def fits_password(stored: str | None, password: str) -> bool:
    """Whether a password fits; what is longer than any password can be is not worth the work."""
    return len(password) < PASSWORD_LENGTHS.stop and is_password(stored, _as_hashed(password))


def _as_hashed(password: str) -> str:
    return normalize("NFKC", password).encode("utf-8", "replace").decode()


def new_recovery_code() -> str:
    """Five groups of five signs, 125 bits of chance."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS))


def hash_of_code(code: str) -> str:
    """A digest to be stored; no salt or slowness is needed where nothing can be guessed.

    Dashes, spaces and case do not matter, nor do signs that are easily misread:

    >>> hash_of_code("abc0l-1") == hash_of_code("ABCO1 I")
    True
    """
    signs = "".join(sign for sign in code.upper() if sign.isalnum()).translate(_MISREAD)
    return hashlib.sha256(signs.encode("utf-8", "replace")).hexdigest()


def fits_code(stored: str | None, code: str) -> bool:
    """Whether a recovery code fits; there is always something to compare it with."""
    return secrets.compare_digest(stored or "-" * 64, hash_of_code(code))


@lru_cache(maxsize=1)
def _common_passwords() -> frozenset[str]:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # half a megabyte that only a new password needs

    return frozenset(each for each in FREQUENCY_LISTS["passwords"] if len(each) in PASSWORD_LENGTHS)


def _span(lengths: range) -> str:
    return f"{lengths.start} to {lengths.stop - 1}"
