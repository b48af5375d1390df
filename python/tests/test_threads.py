"""Objects that threads share."""

import threading
from concurrent.futures import ThreadPoolExecutor

from tengen import Game, IllegalMoveError, sgf


def test_many_threads_play_one_game() -> None:
    game = Game(19)
    refused = []

    def play(first: int) -> None:
        for action in range(first, 361, 4):
            try:
                game.play(action)
                game.svg()
                game.copy() == game
            except IllegalMoveError as error:
                refused.append(error.reason)

    threads = [threading.Thread(target=play, args=(first % 4,)) for first in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not any(thread.is_alive() for thread in threads)
    assert len(game.moves) + len(refused) == 2 * 361
    assert Game.from_bytes(game.to_bytes()) == game


def test_many_threads_share_a_collection() -> None:
    games = sgf.Collection()

    def add(number: int) -> None:
        root = games.add_game()
        root["GN"] = str(number)
        for _ in range(20):
            root.add_child().comment = "text"
            games.to_sgf()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(16)))
    assert sorted(int(root["GN"][0]) for root in games) == list(range(16))
    assert sgf.loads(str(games)) == games
