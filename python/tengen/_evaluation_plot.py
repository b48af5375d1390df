"""An evaluation as a picture: SVG, without other packages."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen._evaluate import Evaluation

__all__ = ["evaluation_svg"]

WIDTH = 640
ROW = 34
LEFT = 170
RIGHT = 70
TOP = 46
BLACK, ACCENT, GREY = "#222222", "#0072b2", "#999999"


def evaluation_svg(found: Evaluation) -> str:
    """A row for each opponent with the share of points and its interval, and one with the Elo if there is a scale."""
    places = [(of.opponent, of.elo, 0.0) for of in found.versus if of.elo is not None]
    own = found.elo
    rows = len(found.versus)
    height = TOP + ROW * rows + (110 if own is not None else 20)
    size = f"{found.size[0]}×{found.size[1]}"
    title = f"{found.name} on {size}"
    if own is not None:
        title += f": Elo {own[0]:.0f} ± {own[1]:.0f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="system-ui, sans-serif" font-size="13" fill="{BLACK}" role="img" aria-label="{escape(title)}">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="12" y="24" font-size="15" font-weight="600">{escape(title)}</text>',
    ]
    for percent in (0, 25, 50, 75, 100):
        x = _across(percent / 100)
        parts.append(f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{TOP + ROW * rows}" stroke="#dddddd"/>')
        parts.append(f'<text x="{x}" y="{TOP - 4}" font-size="11" text-anchor="middle">{percent} %</text>')
    for number, of in enumerate(found.versus):
        y = TOP + ROW * number + ROW / 2
        by, error = of.difference if of.games else (0.0, 0.0)
        share = of.points / max(of.games, 1)
        low, high = (_across(_expected(by + sign * error)) for sign in (-1, 1))
        label = f"{of.opponent} ({of.games})"
        parts.append(f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>')
        parts.append(f'<line x1="{low}" x2="{high}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GREY}" stroke-width="6"/>')
        parts.append(f'<circle cx="{_across(share)}" cy="{y:.1f}" r="6" fill="{ACCENT}"/>')
        parts.append(f'<text x="{WIDTH - 10}" y="{y + 4:.1f}" text-anchor="end">{share:.1%}</text>')
    if own is not None:
        parts += _scale([*places, (found.name, *own)], TOP + ROW * rows + 60)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _across(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _expected(elo: float) -> float:
    """The share of points that somebody gets who is so much stronger."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _scale(places: list[tuple[str, float, float]], y: float) -> list[str]:
    """A line with the opponents on it by their Elo, and the agent with its interval."""
    low = min(elo - error for _, elo, error in places)
    high = max(elo + error for _, elo, error in places)
    reach = max(high - low, 1.0)
    first, last = 40.0, WIDTH - 40.0

    def along(elo: float) -> float:
        return round(first + (elo - low) / reach * (last - first), 1)

    parts = [f'<line x1="{first}" x2="{last}" y1="{y}" y2="{y}" stroke="{GREY}"/>']
    for number, (name, elo, error) in enumerate(places):
        x = along(elo)
        is_agent = number == len(places) - 1
        color = ACCENT if is_agent else BLACK
        # Opponents beside each other have their names on two heights, and the agent its own above the line.
        at = y - 12 if is_agent else y + 20 + 15 * (number % 2)
        if is_agent:
            parts.append(
                f'<line x1="{along(elo - error)}" x2="{along(elo + error)}" y1="{y}" y2="{y}" stroke="{color}" '
                'stroke-width="6" stroke-opacity="0.4"/>'
            )
        parts.append(f'<circle cx="{x}" cy="{y}" r="{6 if is_agent else 4}" fill="{color}"/>')
        text = f"{escape(name)} {elo:.0f}"
        parts.append(f'<text x="{x}" y="{at}" font-size="11" text-anchor="middle" fill="{color}">{text}</text>')
    return parts
