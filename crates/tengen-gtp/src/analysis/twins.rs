//! Moves of a symmetric position that are others turned or mirrored (KataGo's root symmetry pruning).

use tengen_core::{Game, Move, Point, Size, Symmetry};
use tengen_search::{Candidate, Restriction, RestrictionKind};

/// Moves that need not be searched, since each is another one turned.
#[derive(Debug, Default)]
pub(super) struct Twins {
    size: Option<Size>,
    all: Vec<Twin>,
}

#[derive(Clone, Copy, Debug)]
struct Twin {
    /// The move that is not searched.
    point: Point,
    /// The one that is.
    of: Point,
    /// What turns the one that is searched into this one.
    symmetry: Symmetry,
}

impl Twins {
    /// Those of a position. It has none unless stones, ko and all legal moves stay what they are when it is turned.
    pub(super) fn of(game: &Game) -> Self {
        let size = game.size();
        let position = game.position();
        let legal = game.legal_moves();
        let keeps = |symmetry: &Symmetry| {
            position.transformed(*symmetry) == position
                && symmetry.apply_to_set(&legal, size) == legal
        };
        let symmetries: Vec<Symmetry> = Symmetry::onto_itself(size).filter(keeps).collect();
        // The first of several is the one furthest to the upper right, where games begin.
        let rank = |point: &Point| (point.x(), u8::MAX - point.y());
        let twin = |point: Point| {
            let images = symmetries
                .iter()
                .map(|symmetry| (symmetry.apply(point, size), *symmetry));
            let (of, symmetry) = images.max_by_key(|(image, _)| rank(image))?;
            (of != point).then_some(Twin {
                point,
                of,
                symmetry: symmetry.inverse(),
            })
        };
        Self {
            size: Some(size),
            all: legal.iter().filter_map(twin).collect(),
        }
    }

    /// What keeps a search from looking at them.
    pub(super) fn restriction(&self, game: &Game) -> Option<Restriction> {
        let moves: Vec<Move> = self.all.iter().map(|twin| Move::Play(twin.point)).collect();
        (!moves.is_empty()).then_some(Restriction {
            color: game.to_move(),
            moves,
            kind: RestrictionKind::Avoid,
            until_depth: 1,
        })
    }

    /// What was found about a move, for each move that is the same turned.
    pub(super) fn copies(&self, found: &Candidate) -> Vec<Candidate> {
        let twins = self.all.iter();
        let twins = twins.filter(|twin| found.action == Move::Play(twin.of));
        twins.map(|twin| self.copy(found, *twin)).collect()
    }

    fn copy(&self, found: &Candidate, twin: Twin) -> Candidate {
        let Some(size) = self.size else {
            return found.clone();
        };
        let turned = |action: &Move| match action {
            Move::Play(point) => Move::Play(twin.symmetry.apply(*point, size)),
            Move::Pass => Move::Pass,
        };
        let turned_map = |values: &[f32]| -> Vec<f32> {
            let back = twin.symmetry.inverse();
            let from = |point| values.get(size.index(back.apply(point, size)));
            let points = size.points();
            points.iter().filter_map(from).copied().collect()
        };
        Candidate {
            action: Move::Play(twin.point),
            variation: found.variation.iter().map(turned).collect(),
            ownership: turned_map(&found.ownership),
            ownership_spread: turned_map(&found.ownership_spread),
            ..found.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::{Rules, Setup};

    fn twins(position: &str) -> Vec<String> {
        let setup: Setup = position.parse().unwrap();
        let game = Game::from_setup(&setup, Rules::default()).unwrap();
        let twins = Twins::of(&game);
        let name = |point| Move::Play(point).to_gtp(setup.size);
        let mut names: Vec<String> = twins
            .all
            .iter()
            .map(|twin| {
                assert_eq!(twin.symmetry.apply(twin.of, setup.size), twin.point);
                format!("{} of {}", name(twin.point), name(twin.of))
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn each_move_is_searched_in_one_place() {
        let empty = twins("...\n...\n...");
        assert_eq!(
            empty,
            [
                "A1 of C3", "A2 of C2", "A3 of C3", "B1 of C2", "B3 of C2", "C1 of C3",
            ]
        );
        // Left and right alone.
        assert_eq!(twins(".X.\n...\n..."), ["A1 of C1", "A2 of C2", "A3 of C3"]);
        assert!(twins("XO.\n...\n...").is_empty());
    }

    #[test]
    fn what_is_illegal_has_no_twin() {
        assert_eq!(twins(".XO.\nXO.O\n.XO.\nko: C2"), ["A1 of A3"]);
    }

    #[test]
    fn copies_are_turned() {
        let setup: Setup = "...\n...\n...".parse().unwrap();
        let game = Game::from_setup(&setup, Rules::default()).unwrap();
        let twins = Twins::of(&game);
        let at = |name: &str| Move::from_gtp(name, setup.size).unwrap();
        let found = Candidate {
            action: at("C3"),
            visits: 5,
            selection: 5.0,
            worth: tengen_search::Worth::default(),
            lcb: 0.5,
            prior: 0.25,
            variation: vec![at("C3"), at("B2"), at("C2"), Move::Pass],
            variation_visits: vec![5, 4, 3, 2],
            ownership: vec![0.0, 0.0, 1.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0],
            ownership_spread: Vec::new(),
        };
        let copies = twins.copies(&found);
        let names: Vec<Move> = copies.iter().map(|copy| copy.action).collect();
        assert_eq!(names, ["A3", "A1", "C1"].map(at));
        for copy in copies {
            assert_eq!(copy.variation[0], copy.action);
            assert_eq!(copy.variation[1..2], [at("B2")]);
            assert_eq!(copy.variation[3], Move::Pass);
            let point = copy.action.point().unwrap();
            assert_eq!(copy.ownership[setup.size.index(point)], 1.0);
            assert_eq!(copy.ownership[4], 0.5);
            assert_eq!(copy.visits, 5);
        }
    }
}
