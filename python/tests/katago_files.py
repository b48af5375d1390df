"""Little networks in KataGo's format, with random weights."""

from __future__ import annotations

import gzip

import numpy as np

_CHANNELS = 8


class _Writer:
    """Writes layers as KataGo's files have them: words, and arrays as little-endian float32."""

    def __init__(self, version: int, seed: int) -> None:
        self.version = version
        self.rng = np.random.default_rng(seed)
        self.data = b""
        self.names = 0

    def words(self, *words: object) -> None:
        self.data += " ".join(map(str, words)).encode() + b"\n"

    def name(self) -> str:
        self.names += 1
        return f"layer{self.names}"

    def floats(self, count: int, *, least: float | None = None) -> None:
        values = self.rng.normal(0, 0.3, count)
        if least is not None:
            values = np.abs(values) + least
        self.data += b"@BIN@" + values.astype("<f4").tobytes() + b"\n"

    def conv(self, side: int, inputs: int, outputs: int) -> None:
        self.words(self.name(), side, side, inputs, outputs, 1, 1)
        self.floats(side * side * inputs * outputs)

    def norm(self, channels: int) -> None:
        self.words(self.name(), channels, 0.001, 0, 1)
        self.floats(channels)
        self.floats(channels, least=0.5)
        self.floats(channels)

    def activation(self) -> None:
        self.words(self.name(), *(["ACTIVATION_MISH"] if self.version >= 11 else []))

    def matrix(self, inputs: int, outputs: int) -> None:
        self.words(self.name(), inputs, outputs)
        self.floats(inputs * outputs)

    def bias(self, channels: int) -> None:
        self.words(self.name(), channels)
        self.floats(channels)


def katago_file(version: int = 8, seed: int = 1) -> bytes:
    """A network of an ordinary and a pooling block: version 8, or one from 9 to 14."""
    file, own = _Writer(version, seed), _CHANNELS
    multipliers = [20, 20, 20, 20, 40, 0.25, 30] if version >= 13 else []
    file.words(f"tiny-v{version}", version, 22, 19, *multipliers)
    file.words("trunk", 2, own, own, own, own, own)
    file.conv(3, 22, own)
    file.matrix(19, own)
    file.words("ordinary_block", file.name())
    for _ in range(2):
        file.norm(own)
        file.activation()
        file.conv(3, own, own)
    file.words("gpool_block", file.name())
    file.norm(own)
    file.activation()
    file.conv(3, own, own)
    file.conv(3, own, own)
    file.norm(own)
    file.activation()
    file.matrix(3 * own, own)
    file.norm(own)
    file.activation()
    file.conv(3, own, own)
    file.norm(own)
    file.activation()

    policies = 2 if version >= 12 else 1
    file.words("policyhead")
    file.conv(1, own, own)
    file.conv(1, own, own)
    file.norm(own)
    file.activation()
    file.matrix(3 * own, own)
    file.norm(own)
    file.activation()
    file.conv(1, own, policies)
    file.matrix(3 * own, policies)

    scores = 6 if version >= 9 else 4
    file.words("valuehead")
    file.conv(1, own, own)
    file.norm(own)
    file.activation()
    file.matrix(3 * own, own)
    file.bias(own)
    file.activation()
    file.matrix(own, 3)
    file.bias(3)
    file.matrix(own, scores)
    file.bias(scores)
    file.conv(1, own, 1)
    return gzip.compress(file.data, mtime=0)
