"""A toolkit for the game of Go: exact rules, game records, pictures, and games to learn from.

>>> import tengen
>>> game = tengen.Game(9, rules='chinese')
>>> for move in ['E5', 'G3', 'pass']:
...     game.play(move)
>>> print(game)
   A B C D E F G H J
 9 . . . . . . . . .  9
 8 . . . . . . . . .  8
 7 . . + . . . + . .  7
 6 . . . . . . . . .  6
 5 . . . . X . . . .  5
 4 . . . . . . . . .  4
 3 . . + . . . O . .  3
 2 . . . . . . . . .  2
 1 . . . . . . . . .  1
   A B C D E F G H J
White to move
<BLANKLINE>
>>> int(game.legal_mask().sum())
80

`Rules`, `Board` and `Game` are the rules, `Engine` a player and analyst, `Net` and `Trainer` a network and what it
learns by, `search`, `selfplay` and `evaluate` AlphaZero with any network, `Positions` what there is to learn from
games, `VectorEnv` many games in lockstep, `tengen.sgf` the records of games, `solve`, `solve_local` and `verify` exact
values of small boards, life and death, and proofs of them.
"""

from tengen import sgf
from tengen._native import (
    Analysis,
    Board,
    Candidate,
    Chain,
    Engine,
    Example,
    Game,
    IllegalMoveError,
    LocalAnswer,
    LocalSolution,
    Net,
    NetOutput,
    Rules,
    Run,
    Score,
    SelfPlayer,
    SgfError,
    Solution,
    Theorem,
    Trainer,
    Turn,
    __version__,
    solve,
    solve_local,
    verify,
)
from tengen._async_env import AsyncEnv
from tengen._evaluate import Evaluation, Versus, evaluate
from tengen._positions import PositionBatch, Positions
from tengen._search import Leaves, Search, SearchResult, search
from tengen._selfplay import PlayedGame, TrainingPositions, selfplay
from tengen.vector import Buffers, VectorEnv, turn_observation, turn_policy

__all__ = [
    "Analysis",
    "AsyncEnv",
    "Board",
    "Buffers",
    "Candidate",
    "Chain",
    "Engine",
    "Evaluation",
    "Example",
    "Game",
    "IllegalMoveError",
    "Leaves",
    "LocalAnswer",
    "LocalSolution",
    "Net",
    "NetOutput",
    "PlayedGame",
    "PositionBatch",
    "Positions",
    "Rules",
    "Run",
    "Score",
    "Search",
    "SearchResult",
    "SelfPlayer",
    "SgfError",
    "Solution",
    "Theorem",
    "Trainer",
    "TrainingPositions",
    "Turn",
    "VectorEnv",
    "Versus",
    "__version__",
    "evaluate",
    "search",
    "selfplay",
    "sgf",
    "solve",
    "solve_local",
    "turn_observation",
    "turn_policy",
    "verify",
]
