"""What is left of a finding whose evidence is of two clusters: nothing that is certain, and nothing to do at once."""

import dataclasses
from collections.abc import Iterable, Mapping

from analyzer.detectors.model import Action, Explanation

OF_FOLDER = "meta.properties"
"""The file of a log dir that names the cluster of all files there; any other names its own."""
APART = "the files that show it are of different clusters, where the same names and producer ids are others'"


def clusters_of(paths: Iterable[str], named_in: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the ids of the clusters that these files are of, as far as they or their log dir's file tell."""
    ids = set[str]()
    for path in paths:
        for file, names in named_in.items():
            folder = file.removesuffix(OF_FOLDER) if file.endswith(f"/{OF_FOLDER}") else None
            if path == file or (folder and path.startswith(folder)):
                ids |= names
    return frozenset(ids)


def judged_apart(words: Explanation, named_in: Mapping[str, frozenset[str]]) -> Explanation:
    """Return the words of a finding as they are, or as they stand where its lines are of two clusters (RULES D 11)."""
    ids = clusters_of({step.ref.path for step in words.steps if step.ref is not None}, named_in)
    if len(ids) <= 1:
        return words
    names = " and ".join(sorted(ids))
    summary = f"FETCH FILES FIRST: these are of {names}. Run the files of each cluster alone; do not act on this."
    action = Action(kind="fetch", word="fetch files first", summary=summary, discards=words.action.discards)
    sure = tuple(
        dataclasses.replace(one, answer="no" if one.answer in {"yes", "no", "ask"} else "possible", because=APART)
        for one in words.certainty
    )
    return dataclasses.replace(words, confidence="possible", action=action, certainty=sure, otherwise=APART)
