"""Writes the stems of all words of rules and tables: `python -m tests.makers.stems`."""

from __future__ import annotations

import json
from pathlib import Path

from snowballstemmer.english_stemmer import EnglishStemmer

from tkid.rulebook.search import index, make_protocol_data, make_search_data

FILE = Path(index.__file__).with_name("stems.json")


def list_stems() -> dict[str, str]:
    """Stem all words of rules and tables: the words by their stems, each in alphabetical order."""
    stemmer, found = EnglishStemmer(), dict[str, list[str]]()
    whole = index.Index(make_search_data(), make_protocol_data())
    for word in sorted(whole.language.list_words()):
        found.setdefault(stemmer.stemWord(word), []).append(word)
    return {stem: " ".join(forms) for stem, forms in sorted(found.items())}


if __name__ == "__main__":
    FILE.write_text(json.dumps(list_stems(), ensure_ascii=False, indent=0) + "\n", "utf-8", newline="\n")
