//! The rules of Go once more, as plainly as they can be written.
//!
//! It shares the vocabulary of the crate and none of its machinery: a board is a list of points, chains are flooded
//! anew whenever they are asked for, and repetition compares whole boards.

use tengen_core::{
    ByColor, Color, IllegalMove, Ko, Komi, Move, Outcome, Point, Reason, RepetitionEffect, Rules,
    Scoring, Setup, Size, Suicide, Ties,
};

/// What is on each point, row by row from the top.
type Stones = Vec<Option<Color>>;

/// A game that keeps every position it has seen.
pub(crate) struct Oracle {
    size: Size,
    rules: Rules,
    komi: Komi,
    beside: Vec<Vec<usize>>,
    ko_of_setup: Option<Point>,
    /// Every position so far; the current one is the last.
    positions: Vec<Position>,
}

#[derive(Clone)]
pub(crate) struct Position {
    stones: Stones,
    pub(crate) to_move: Color,
    pub(crate) passes: u8,
    pub(crate) prisoners: ByColor<u32>,
    pub(crate) outcome: Option<Outcome>,
    /// How many enemy stones the last move took.
    taken: usize,
}

/// What a stone on an empty point does.
struct Effect {
    stones: Stones,
    taken: Vec<usize>,
    /// How many of the player's own stones left the board.
    lost: usize,
}

/// Stones of one colour that are joined, and their liberties, each in reading order.
pub(crate) struct Group {
    pub(crate) color: Color,
    pub(crate) stones: Vec<Point>,
    pub(crate) liberties: Vec<Point>,
}

/// A count of the board. The prisoners include dead stones.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) stones: ByColor<u32>,
    pub(crate) territory: ByColor<u32>,
    pub(crate) prisoners: ByColor<u32>,
    pub(crate) dame: u32,
}

impl Oracle {
    /// A game from a position whose chains all have liberties.
    pub(crate) fn new(setup: &Setup, rules: Rules, komi: Komi) -> Self {
        let size = setup.size;
        let (width, height) = (usize::from(size.width()), usize::from(size.height()));
        let beside = (0..width * height).map(|at| {
            let (x, y) = (at % width, at / width);
            let mut around = Vec::new();
            around.extend((y > 0).then(|| at - width));
            around.extend((x > 0).then(|| at - 1));
            around.extend((x + 1 < width).then_some(at + 1));
            around.extend((y + 1 < height).then_some(at + width));
            around
        });
        let mut oracle = Self {
            size,
            rules,
            komi,
            beside: beside.collect(),
            ko_of_setup: setup.ko,
            positions: Vec::new(),
        };
        let color_at = |point| {
            let is = |color: &Color| setup.stones[*color].contains(point);
            Color::BOTH.into_iter().find(is)
        };
        oracle.positions.push(Position {
            stones: oracle.points().map(color_at).collect(),
            to_move: setup.to_move,
            passes: 0,
            prisoners: ByColor::default(),
            outcome: None,
            taken: 0,
        });
        oracle
    }

    /// The current position.
    pub(crate) fn now(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// How many moves were made.
    pub(crate) fn moves(&self) -> usize {
        self.positions.len() - 1
    }

    /// All points in reading order.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (width, height) = (self.size.width(), self.size.height());
        (0..height).flat_map(move |y| (0..width).map(move |x| Point::new(x, y)))
    }

    pub(crate) fn color_at(&self, point: Point) -> Option<Color> {
        self.now().stones[self.place(point)]
    }

    fn place(&self, point: Point) -> usize {
        usize::from(point.y()) * usize::from(self.size.width()) + usize::from(point.x())
    }

    fn point(&self, place: usize) -> Point {
        let width = usize::from(self.size.width());
        Point::new((place % width) as u8, (place / width) as u8)
    }

    /// The points of one content that are joined to this one, and the points around them.
    fn flood(&self, stones: &Stones, from: usize) -> (Vec<usize>, Vec<usize>) {
        let mut seen = vec![false; stones.len()];
        seen[from] = true;
        let (mut inside, mut around) = (vec![from], Vec::new());
        let mut next = 0;
        while let Some(&here) = inside.get(next) {
            next += 1;
            for &side in &self.beside[here] {
                if !std::mem::replace(&mut seen[side], true) {
                    let same = stones[side] == stones[from];
                    if same { &mut inside } else { &mut around }.push(side);
                }
            }
        }
        (inside, around)
    }

    /// The chain of a stone if it has no liberty.
    fn breathless(&self, stones: &Stones, stone: usize) -> Option<Vec<usize>> {
        let (chain, around) = self.flood(stones, stone);
        around
            .iter()
            .all(|&at| stones[at].is_some())
            .then_some(chain)
    }

    /// Puts a stone on an empty point: enemy chains without liberties go, then the own chain if it has none.
    fn effect(&self, place: usize) -> Effect {
        let color = self.now().to_move;
        let mut stones = self.now().stones.clone();
        stones[place] = Some(color);
        let mut taken = Vec::new();
        for &side in &self.beside[place] {
            if stones[side] == Some(!color) {
                for stone in self.breathless(&stones, side).unwrap_or_default() {
                    stones[stone] = None;
                    taken.push(stone);
                }
            }
        }
        let lost = self.breathless(&stones, place).unwrap_or_default();
        for &stone in &lost {
            stones[stone] = None;
        }
        Effect {
            stones,
            taken,
            lost: lost.len(),
        }
    }

    /// May the player to move make this move, and if not, why?
    pub(crate) fn verdict(&self, action: Move) -> Result<(), IllegalMove> {
        let now = self.now();
        if now.outcome.is_some() {
            return Err(IllegalMove::GameOver);
        }
        let Move::Play(point) = action else {
            return Ok(());
        };
        if point.x() >= self.size.width() || point.y() >= self.size.height() {
            return Err(IllegalMove::OffBoard);
        }
        if self.color_at(point).is_some() {
            return Err(IllegalMove::Occupied);
        }
        let effect = self.effect(self.place(point));
        if self.retakes(point, &effect) {
            return Err(IllegalMove::Ko);
        }
        let may_lose = match self.rules.suicide {
            Suicide::Forbidden => effect.lost == 0,
            Suicide::MultiStone => effect.lost != 1,
            Suicide::Allowed => true,
        };
        if !may_lose {
            return Err(IllegalMove::Suicide);
        }
        let seen = |position: &Position| position.stones == effect.stones;
        let repeats = match self.rules.ko {
            Ko::Simple => false,
            Ko::Positional => self.positions.iter().any(seen),
            Ko::Situational => {
                let next = !now.to_move;
                let mut same_turn = self.positions.iter().filter(|past| past.to_move == next);
                same_turn.any(seen)
            }
        };
        if repeats {
            Err(IllegalMove::Superko)
        } else {
            Ok(())
        }
    }

    /// Simple ko: the last move took one stone, and this one takes its taker and restores the board before both.
    fn retakes(&self, point: Point, effect: &Effect) -> bool {
        match self.positions.as_slice() {
            [_] => self.ko_of_setup == Some(point),
            [.., before, now] => {
                now.taken == 1 && effect.taken.len() == 1 && effect.stones == before.stones
            }
            [] => false,
        }
    }

    /// Where simple ko forbids the next stone.
    pub(crate) fn ko(&self) -> Option<Point> {
        if self.moves() > 0 && self.now().taken != 1 {
            return None;
        }
        let forbidden = |point: &Point| {
            self.color_at(*point).is_none()
                && self.retakes(*point, &self.effect(self.place(*point)))
        };
        self.points().find(forbidden)
    }

    /// Makes a move that is legal.
    pub(crate) fn play(&mut self, action: Move) {
        let now = self.now();
        let color = now.to_move;
        let mut next = Position {
            to_move: !color,
            taken: 0,
            ..now.clone()
        };
        match action {
            Move::Pass => next.passes += 1,
            Move::Play(point) => {
                let effect = self.effect(self.place(point));
                next.passes = 0;
                next.taken = effect.taken.len();
                next.prisoners[color] += effect.taken.len() as u32;
                next.prisoners[!color] += effect.lost as u32;
                let window = self.rules.repetition.window.map_or(usize::MAX, usize::from);
                let mut lately = self.positions.iter().rev().take(window);
                if lately.any(|past| past.stones == effect.stones) {
                    next.outcome = match self.rules.repetition.effect {
                        RepetitionEffect::PlayOn => None,
                        RepetitionEffect::Loses => Some(Outcome::Win(!color, Reason::Repetition)),
                        RepetitionEffect::Draws => Some(Outcome::Draw),
                        RepetitionEffect::NoResult => Some(Outcome::NoResult),
                    };
                }
                next.stones = effect.stones;
            }
        }
        let passed_out = next.passes >= self.rules.passes;
        let decided = next.outcome.is_some();
        self.positions.push(next);
        let limit = self.rules.max_moves.moves(self.size);
        let out_of_moves = limit.is_some_and(|limit| self.moves() >= limit as usize);
        if !decided && (passed_out || out_of_moves) {
            let outcome = Some(self.outcome_of_count());
            let last = self.positions.len() - 1;
            self.positions[last].outcome = outcome;
        }
    }

    /// Takes a number of moves back.
    pub(crate) fn undo(&mut self, moves: usize) {
        self.positions.truncate(self.positions.len() - moves);
    }

    /// All chains in reading order of their first stones.
    pub(crate) fn groups(&self) -> Vec<Group> {
        let stones = &self.now().stones;
        let mut seen = vec![false; stones.len()];
        let mut groups = Vec::new();
        for (place, stone) in stones.iter().enumerate() {
            let Some(color) = *stone else { continue };
            if seen[place] {
                continue;
            }
            let (mut chain, mut around) = self.flood(stones, place);
            around.retain(|&at| stones[at].is_none());
            for &stone in &chain {
                seen[stone] = true;
            }
            chain.sort_unstable();
            around.sort_unstable();
            groups.push(Group {
                color,
                stones: chain.into_iter().map(|at| self.point(at)).collect(),
                liberties: around.into_iter().map(|at| self.point(at)).collect(),
            });
        }
        groups
    }

    /// Counts the board without the dead stones; regions that touch a stone in seki belong to nobody.
    pub(crate) fn count(&self, dead: &[Point], seki: &[Point]) -> Count {
        let now = self.now();
        let mut stones = now.stones.clone();
        let mut count = Count {
            stones: ByColor::default(),
            territory: ByColor::default(),
            prisoners: now.prisoners,
            dame: 0,
        };
        for &point in dead {
            if let Some(color) = stones[self.place(point)].take() {
                count.prisoners[!color] += 1;
            }
        }
        let seki: Vec<usize> = seki.iter().map(|&point| self.place(point)).collect();
        let mut seen = vec![false; stones.len()];
        for place in 0..stones.len() {
            if let Some(color) = stones[place] {
                count.stones[color] += 1;
            } else if !seen[place] {
                let (region, around) = self.flood(&stones, place);
                for &at in &region {
                    seen[at] = true;
                }
                let touches = |color| around.iter().any(|&at| stones[at] == Some(color));
                let neutral = around.iter().any(|at| seki.contains(at));
                *match (touches(Color::Black), touches(Color::White)) {
                    (true, false) if !neutral => &mut count.territory.black,
                    (false, true) if !neutral => &mut count.territory.white,
                    _ => &mut count.dame,
                } += region.len() as u32;
            }
        }
        count
    }

    /// By how many half-points Black leads in a count.
    pub(crate) fn margin(&self, count: &Count, scoring: Scoring) -> i32 {
        let points = |color| {
            let (stones, prisoners) = (count.stones[color] as i32, count.prisoners[color] as i32);
            let territory = count.territory[color] as i32;
            match scoring {
                Scoring::Area => stones + territory,
                Scoring::Territory => territory + prisoners,
                Scoring::AreaAndPrisoners => stones + territory + prisoners,
            }
        };
        2 * (points(Color::Black) - points(Color::White)) - self.komi.halves()
    }

    fn outcome_of_count(&self) -> Outcome {
        let margin = self.margin(&self.count(&[], &[]), self.rules.scoring);
        let by = Reason::Score(margin.unsigned_abs());
        match (margin, self.rules.ties) {
            (0, Ties::Draw) => Outcome::Draw,
            (0, Ties::Black) | (1.., _) => Outcome::Win(Color::Black, by),
            (0, Ties::White) | (..0, _) => Outcome::Win(Color::White, by),
        }
    }
}
