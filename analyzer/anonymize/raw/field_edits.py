"""Replaces names inside binary keys and values of Kafka's own topics, in place: every field keeps its length.

__transaction_state: TransactionLogKey, TransactionLogValue. __consumer_offsets: OffsetCommitKey, OffsetCommitValue,
GroupMetadataKey, GroupMetadataValue; subscriptions and assignments of members: ConsumerProtocolSubscription.
"""

import functools
import struct
from collections.abc import Callable

from analyzer.anonymize.replacing import Replacing
from analyzer.kafka.group_records import COMMITS, EPOCHS, GENERATION, MEMBERS, protocol_of
from analyzer.parse.segments.fields import BROKEN, FieldReader
from analyzer.parse.segments.internal_topics import FLEXIBLE, GROUP_VERSIONS, TRANSACTION_VERSIONS

Content = bytes | None
_STATE_HEAD = struct.Struct(">hqhib")
_VERSION_BYTES = 2


class Editor(FieldReader):
    """A cursor that copies what it reads, and replaces names on the way."""

    def __init__(self, data: bytes, to: Replacing, at: int = 0) -> None:
        super().__init__(data, at)
        self.to = to
        self.out = bytearray(data)

    @property
    def at(self) -> int:
        """Where the cursor stands."""
        return self._at

    def replace(self, size: int, by: Callable[[bytes], bytes]) -> None:
        """Replace the next bytes by as many others."""
        part = self.take(size)
        self.out[self._at - size : self._at] = by(part)

    def name(self, *, compact: bool = False) -> None:
        """Replace the next string, a name."""
        self.replace(self._size(compact=compact), self.to.names.of_bytes)

    def word(self, *, compact: bool = False, own: bool = False) -> None:
        """Replace the next string unless it is a number or, where it is not the user's own, a word of Kafka's."""
        size = self._size(compact=compact)
        self.replace(size, lambda text: self.to.word(text.decode("utf-8", "replace"), own=own).encode())

    def free_text(self, *, compact: bool = False) -> None:
        """Replace the next string, text of a client."""
        self.replace(self._size(compact=compact), self.to.payload)

    def byte_array(self, by: Callable[[bytes], bytes], *, compact: bool = False) -> None:
        """Replace the next byte array."""
        size = self.varint() - 1 if compact else self.int32()
        self.replace(max(size, 0), by)

    def rest(self) -> None:
        """Replace all that follows."""
        self.replace(len(self._data) - self._at, self.to.payload)

    def topics(self, *, compact: bool = False) -> None:
        """Replace the names in an array of topics with the numbers of their partitions."""
        for _ in range(self.count(compact=compact)):
            self.name(compact=compact)
            for _ in range(self.count(compact=compact)):
                self.int32()
            if compact:
                self.tags()

    def _size(self, *, compact: bool) -> int:
        return max(self.varint() - 1 if compact else self.int16(), 0)


def transaction_record(key: Content, value: Content, to: Replacing) -> tuple[Content, Content]:
    """Return key and value of a record of __transaction_state with other names."""
    return edited(key, to, _key_of_names(1)), edited(value, to, _state)


def offsets_record(key: Content, value: Content, to: Replacing) -> tuple[Content, Content]:
    """Return key and value of a record of __consumer_offsets with other names."""
    kind = int.from_bytes(key[:_VERSION_BYTES], "big") if key else -1
    if kind in COMMITS:
        return edited(key, to, _key_of_names(2)), edited(value, to, _commit)
    if kind == GENERATION:
        return edited(key, to, _key_of_names(1)), edited(value, to, _group)
    if protocol_of(kind) is not None:
        names, kept = (2 if kind in MEMBERS else 1), (6 if kind in EPOCHS else _VERSION_BYTES)
        return edited(key, to, _key_of_names(names, partition=False)), _filled(value, to, kept)
    return _filled(key, to), _filled(value, to)


def edited(content: Content, to: Replacing, edit: Callable[[Editor], None]) -> Content:
    """Return the edited content; what does not read as expected is filled from its third byte on."""
    if content is None:
        return None
    editor = Editor(content, to)
    try:
        edit(editor)
    except BROKEN:
        return _filled(content, to)
    return bytes(editor.out)


def _filled(content: Content, to: Replacing, kept: int = _VERSION_BYTES) -> Content:
    """Return content of which only the first bytes stay, which tell its version, and a newer group's epoch."""
    return None if content is None else content[:kept] + to.payload(content[kept:])


def _key_of_names(count: int, *, partition: bool = True) -> Callable[[Editor], None]:
    def edit(editor: Editor) -> None:
        editor.int16()
        for _ in range(count):
            editor.name()
        if count > 1 and partition:
            editor.int32()
        editor.rest()

    return edit


def _state(editor: Editor) -> None:
    version = editor.numbers(_STATE_HEAD)[0]
    if version not in TRANSACTION_VERSIONS:
        raise ValueError("a version that is not known")
    editor.topics(compact=version > 0)
    editor.numbers(struct.Struct(">qq"))
    if version > 0:
        editor.tags()
    editor.rest()


def _commit(editor: Editor) -> None:
    version = editor.int16()
    editor.int64()
    if version > 2:  # noqa: PLR2004 - KIP-320 added the leader epoch
        editor.int32()
    editor.free_text(compact=version >= FLEXIBLE)
    editor.int64()
    if version == 1:
        editor.int64()
    if version >= FLEXIBLE:
        editor.tags()
    editor.rest()


def _group(editor: Editor) -> None:
    version = editor.int16()
    if version not in GROUP_VERSIONS:
        raise ValueError("a version that is not known")
    compact = version >= FLEXIBLE
    editor.word(compact=compact)
    editor.int32()
    editor.word(compact=compact)
    editor.name(compact=compact)
    if version > 1:
        editor.int64()
    for _ in range(editor.count(compact=compact)):
        _member(editor, version)
    if compact:
        editor.tags()
    editor.rest()


def _member(editor: Editor, version: int) -> None:
    compact = version >= FLEXIBLE
    editor.name(compact=compact)
    if version > 2:  # noqa: PLR2004 - KIP-345 added the instance id
        editor.name(compact=compact)
    for _ in range(2):
        editor.name(compact=compact)
    if version > 0:
        editor.int32()
    editor.int32()
    for owned in (True, False):
        by = functools.partial(member_content, to=editor.to, subscription=owned)
        editor.byte_array(by, compact=compact)
    if compact:
        editor.tags()


def member_content(data: bytes, to: Replacing, *, subscription: bool) -> bytes:
    """Return a subscription or an assignment of the consumer protocol with other topics; other protocols are filled."""
    if not data:
        return data
    editor = Editor(data, to)
    try:
        version = editor.int16()
        if subscription:
            for _ in range(editor.count()):
                editor.name()
            editor.byte_array(to.payload)
            if version > 0:
                editor.topics()
        else:
            editor.topics()
            editor.byte_array(to.payload)
    except BROKEN:
        return to.payload(data)
    return bytes(editor.out[: editor.at]) + to.payload(data[editor.at :])
