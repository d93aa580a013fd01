"""The errors a user can cause or meet: what was found, what was expected, what to do. `cli/border.py` prints them."""


class ForensicsError(Exception):
    """What was found (`found`), what was expected (`wanted`), and the exact next step (`do`)."""

    exit_code = 2

    def __init__(self, found: str, *, wanted: str = "", do: str = "") -> None:
        """Keep the three parts apart: each is printed on its own line."""
        super().__init__(found)
        self.found = found
        self.wanted = wanted
        self.do = do

    def message(self) -> str:
        """Return the lines for stderr: `error:`, `wanted:`, `do:`."""
        parts = [f"error: {self.found}"]
        parts += [f"wanted: {self.wanted}"] if self.wanted else []
        parts += [f"do: {self.do}"] if self.do else []
        return "\n".join(parts)


class InputError(ForensicsError):
    """A path that is missing or unreadable, or that has no files of Kafka's."""


class ConfigError(ForensicsError):
    """An unknown key or a wrong value in a configuration file or a capture.toml."""


class UsageError(ForensicsError):
    """A command that cannot be carried out: an unknown code or capture, an impossible time."""


class EnvironmentFault(ForensicsError):
    """Something that this machine lacks: Java, the Delta jars, disk, memory."""


class CaseError(ForensicsError):
    """A case that is in use, was made by another version, or holds no such capture."""


class Stopped(ForensicsError):
    """The user pressed Ctrl-C."""

    exit_code = 130

    def message(self) -> str:
        """Return one line, without `error:`: being stopped is no error."""
        return self.found
