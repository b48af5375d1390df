//! The section `[Figure]`: comments on moves of the game, and diagrams.

use tengen_core::{Board, ByColor, Color, PointSet, Suicide};

use super::super::draft::Draft;
use super::{Grid, Play};

/// A comment, or a diagram with one.
///
/// `.Text,move` to `.EndText` is a comment; `.#,column,row,label` in it is a label. `.Fig,move,…,heading,…` to
/// `.EndFig` has the stones of a position, numbered 0, then moves from there, then a comment of its own.
#[derive(Default)]
struct Figure<'a> {
    line: usize,
    about: Option<usize>,
    heading: &'a str,
    labels: Vec<&'a str>,
    text: String,
    diagram: Option<Diagram>,
}

#[derive(Default)]
struct Diagram {
    stones: ByColor<PointSet>,
    plays: Vec<Play>,
}

/// The game that the figures are about.
pub(super) struct MainLine<'a> {
    /// The nodes, the root first.
    pub(super) nodes: &'a [usize],
    pub(super) start: ByColor<PointSet>,
    pub(super) plays: &'a [Play],
}

pub(super) fn write(
    draft: &mut Draft,
    grid: &Grid,
    lines: &[(usize, &str)],
    main_line: &MainLine<'_>,
) {
    let figures = read(draft, grid, lines);
    let positions = if figures.iter().any(|figure| figure.diagram.is_some()) {
        main_line.positions(grid)
    } else {
        Vec::new()
    };
    for figure in figures {
        let Some(about) = figure.about.filter(|about| *about < main_line.nodes.len()) else {
            draft.note(
                figure.line,
                "a comment on a move that was not played was left out",
            );
            continue;
        };
        let mut node = main_line.nodes[about];
        if let Some(diagram) = &figure.diagram {
            // Diagrams start from a position near their move, seldom from exactly that one.
            let nearest = (0..positions.len())
                .filter(|index| positions[*index] == diagram.stones)
                .min_by_key(|index| index.abs_diff(about));
            let Some(from) = nearest else {
                draft.note(
                    figure.line,
                    "a diagram of a position that is not in the game was left out",
                );
                continue;
            };
            node = main_line.nodes[from];
            for (index, (color, point)) in diagram.plays.iter().enumerate() {
                node = match index {
                    0 => draft.add_variation(node),
                    _ => draft.continue_from(node),
                };
                draft.set_move(node, *color, *point);
            }
        }
        draft.append_text(node, "C", figure.heading);
        draft.append_text(node, "C", &figure.text);
        for label in figure.labels {
            match grid.read_label(label) {
                Some((point, text)) => draft.add_label(node, point, text),
                None => draft.note(figure.line, format!("the label `{label}` was left out")),
            }
        }
    }
}

fn read<'a>(draft: &mut Draft, grid: &Grid, lines: &[(usize, &'a str)]) -> Vec<Figure<'a>> {
    let mut figures: Vec<Figure<'a>> = Vec::new();
    let mut open: Option<Figure<'a>> = None;
    let mut in_text = false;
    for &(number, line) in lines {
        let trimmed = line.trim();
        let (command, rest) = trimmed.split_once(',').unwrap_or((trimmed, ""));
        match (command, &mut open) {
            (".Text", Some(figure)) if figure.diagram.is_some() => in_text = true,
            (".Text" | ".Fig", _) => {
                figures.extend(open.take());
                let is_text = command == ".Text";
                in_text = is_text;
                open = Some(Figure {
                    line: number,
                    about: rest
                        .split(',')
                        .next()
                        .and_then(|about| about.trim().parse().ok()),
                    heading: rest.split(',').nth(5).filter(|_| !is_text).unwrap_or(""),
                    diagram: (!is_text).then(Diagram::default),
                    ..Figure::default()
                });
            }
            (".EndText", Some(figure)) => {
                in_text = false;
                if figure.diagram.is_none() {
                    figures.extend(open.take());
                }
            }
            (".EndFig", _) => {
                in_text = false;
                figures.extend(open.take());
            }
            (".#", Some(figure)) => figure.labels.push(rest),
            (_, Some(figure)) if in_text => {
                figure.text.push_str(line.trim_end());
                figure.text.push('\n');
            }
            ("", _) => {}
            (
                _,
                Some(Figure {
                    diagram: Some(diagram),
                    ..
                }),
            ) if grid.read_move(trimmed).is_some() => {
                diagram.add(grid.read_move(trimmed));
            }
            _ => draft.note(
                number,
                format!("`{trimmed}` was not understood and left out"),
            ),
        }
    }
    figures.extend(open);
    figures
}

impl Diagram {
    fn add(&mut self, read: Option<(Play, u32)>) {
        match read {
            Some(((color, Some(point)), 0)) => {
                self.stones[color].insert(point);
            }
            Some((play, 1..)) => self.plays.push(play),
            _ => {}
        }
    }
}

impl MainLine<'_> {
    /// The stones after each move, as far as the moves are legal.
    fn positions(&self, grid: &Grid) -> Vec<ByColor<PointSet>> {
        let Ok(mut board) = Board::with_stones(grid.size, self.start) else {
            return Vec::new();
        };
        let mut positions = vec![self.start];
        for (color, point) in self.plays.iter().take(self.nodes.len() - 1) {
            if let Some(point) = point
                && board.play(*point, *color, Suicide::Allowed).is_err()
            {
                break;
            }
            positions.push(Color::BOTH.map(|color| *board.stones(color)).into());
        }
        positions
    }
}
