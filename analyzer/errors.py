"""The errors a user can cause or meet: what was found, what was wanted, what to do. One border prints them."""


class ForensicsError(Exception):
    """What was found (`found`) and the exact next step (`do`); `wanted` says what would have been right."""

    exit_code = 2

    def __init__(self, found: str, *, wanted: str = "", do: str = "") -> None:
        """Keep the three parts apart: the border prints a line of each."""
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
    """A path that is missing, unreadable or holds nothing of Kafka's."""


class ConfigError(ForensicsError):
    """An unknown key or a wrong value in a configuration file or a capture.toml."""


class UsageError(ForensicsError):
    """A command that cannot be carried out as given: unknown code, unknown capture, impossible time."""


class EnvironmentFault(ForensicsError):
    """Java, the Delta jars, disk or memory: something this machine lacks."""


class CaseError(ForensicsError):
    """A case that is in use, was made by another version, or holds no such capture."""


class Stopped(ForensicsError):
    """The user pressed Ctrl-C."""

    exit_code = 130

    def message(self) -> str:
        """Return one line: being stopped is no error."""
        return self.found
