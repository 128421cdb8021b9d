"""The text of a round in flight. Pure; offsets count Unicode code points, never bytes."""

from typing import NamedTuple


class Piece(NamedTuple):
    """Text and where it starts in its round."""

    offset: int
    text: str


class RoundText:
    """All text of the round, and how much of it was handed on already."""

    def __init__(self, round_number: int) -> None:
        self.round = round_number
        self._pieces: list[str] = []
        self._merged: list[str] = []
        self._handed_on = 0

    def append(self, text: str) -> None:
        """Adds text as the model gave it."""
        # A lone surrogate cannot cross the wire and would break the whole stream.
        clean = text if text.isascii() else text.encode(errors="replace").decode()
        self._pieces.append(clean)
        self._merged.append(clean)

    def take(self) -> Piece | None:
        """Everything since the last take, as one piece."""
        if not self._merged:
            return None
        piece = Piece(self._handed_on, "".join(self._merged))
        self._handed_on += len(piece.text)
        self._merged.clear()
        return piece

    def whole(self) -> str:
        """All text of the round, handed on or not."""
        return "".join(self._pieces)

    def next_round(self) -> None:
        """The round is over; the next one starts empty."""
        self.round += 1
        self._pieces.clear()
        self._merged.clear()
        self._handed_on = 0
