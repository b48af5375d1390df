//! The part of a run that learns from the games of others.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;
use tengen_core::Symmetry;
use tengen_nn::{Example, Net, Output};

use super::error::RunError;
use super::event::Event;
use crate::config::Config;
use crate::records::{
    Asked, Desk, Exam, Lesson, Lessons, Library, Network, Question, RecordsOptions, Tutor, examine,
};

/// The games of others, in the order in which they are learned from.
#[derive(Debug)]
pub(super) struct Records {
    lessons: Lessons,
    questions: Vec<Question>,
    tutor: Option<Tutor>,
    /// What the tutor said about positions that come again, by their number.
    answers: HashMap<u64, Output>,
}

/// So many steps lie between two views of a position.
const BETWEEN_VIEWS: u64 = 50;

/// What a tutor says about all positions that it is asked about and has not judged yet.
fn ask(tutor: &Tutor, lessons: &[Lesson], known: &HashMap<u64, Output>) -> Vec<(u64, Output)> {
    let mut new: Vec<&Lesson> = lessons
        .iter()
        .filter(|lesson| {
            tutor.is_asked(lesson.number, lesson.game.size()) && !known.contains_key(&lesson.number)
        })
        .collect();
    new.sort_by_key(|lesson| lesson.game.size());
    let boards: Vec<&[&Lesson]> = new
        .chunk_by(|a, b| a.game.size() == b.game.size())
        .flat_map(|same| same.chunks(Network::TOGETHER))
        .collect();
    let answers = boards.par_iter().map_init(Desk::default, |desk, lessons| {
        let asked: Vec<Asked<'_>> = lessons
            .iter()
            .map(|lesson| Asked {
                game: &lesson.game,
                inputs: &lesson.example.inputs,
                // The same whichever view of the position comes first after a pause.
                symmetry: Symmetry::IDENTITY,
            })
            .collect();
        let numbers = lessons.iter().map(|lesson| lesson.number);
        numbers
            .zip(tutor.network.answer(desk, &asked))
            .collect::<Vec<_>>()
    });
    answers.flatten_iter().collect()
}

impl Records {
    pub(super) fn read(
        options: &RecordsOptions,
        seed: u64,
        events: &mut dyn FnMut(Event),
    ) -> Result<Self, RunError> {
        let tutor = options.tutor.as_deref().map(Network::read);
        let tutor = tutor.transpose().map_err(RunError::Tutor)?;
        let tutor = tutor.map(|network| Tutor {
            network,
            share: options.tutor_share,
            asked_share: options.asked_share,
        });
        let library = Library::read(options, &mut |path, games| {
            events(Event::Reading {
                path: path.to_owned(),
                games,
            });
        })
        .map_err(RunError::Library)?;
        events(Event::Library {
            lessons: library.lessons().len(),
            held_out: library.held_out().len(),
            skipped: library.skipped(),
        });
        let mut questions = Question::draw(library.held_out(), options.questions, options);
        if let Some(tutor) = &tutor {
            Question::judge(&mut questions, &tutor.network);
        }
        Ok(Self {
            lessons: Lessons::new(library, options.clone(), seed),
            questions,
            tutor,
            answers: HashMap::new(),
        })
    }

    /// The examples of a step, which depend on its number alone: new positions, and those of some earlier steps, turned
    /// in other ways.
    pub(super) fn examples(&mut self, step: u64, count: usize) -> Vec<Example> {
        let views = self.lessons.options().views;
        let new = (count as u64).div_ceil(views);
        let steps =
            (0..views).filter_map(|view| Some((step.checked_sub(view * BETWEEN_VIEWS)?, view)));
        let numbers = steps.flat_map(|(step, view)| {
            (step * new..(step + 1) * new).map(move |number| (number, view))
        });
        let mut lessons = self.lessons.lessons(numbers.take(count));
        if let Some(tutor) = &self.tutor {
            let oldest = step.saturating_sub(views * BETWEEN_VIEWS) * new;
            self.answers.retain(|number, _| *number >= oldest);
            self.answers.extend(ask(tutor, &lessons, &self.answers));
            for lesson in &mut lessons {
                if let Some(answer) = self.answers.get(&lesson.number) {
                    tutor.teach(answer, &mut lesson.example.target, lesson.game.size());
                }
            }
        }
        lessons.into_iter().map(|lesson| lesson.example).collect()
    }

    /// How many positions of records were learned from after so many steps.
    pub(super) fn learned(&self, steps: u64, config: &Config) -> u64 {
        steps * (self.lessons.options().share * config.generation.batch as f64).round() as u64
    }

    /// What the network knows about the games that are held out; `None` if there are none.
    pub(super) fn examine(&self, net: Arc<Net>) -> Option<Exam> {
        (!self.questions.is_empty()).then(|| examine(&net.into(), &self.questions))
    }

    pub(super) fn longest_side(&self) -> u8 {
        self.lessons.library().longest_side()
    }
}
