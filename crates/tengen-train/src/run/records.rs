//! The part of a run that learns from the games of others.

use tengen_nn::{Example, Net};

use super::error::RunError;
use super::event::Event;
use crate::config::Config;
use crate::records::{Exam, Lessons, Library, Question, RecordsOptions, Tutor, examine};

/// The games of others, in the order in which they are learned from.
#[derive(Debug)]
pub(super) struct Records {
    lessons: Lessons,
    questions: Vec<Question>,
}

impl Records {
    pub(super) fn read(
        options: &RecordsOptions,
        seed: u64,
        events: &mut dyn FnMut(Event),
    ) -> Result<Self, RunError> {
        let tutor = options.tutor.as_deref();
        let tutor = tutor.map(|name| Tutor::read(name, options.tutor_share));
        let tutor = tutor.transpose().map_err(RunError::Tutor)?;
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
        Ok(Self {
            questions: Question::draw(library.held_out(), options.questions, options),
            lessons: Lessons::new(library, options.clone(), tutor, seed),
        })
    }

    /// The examples of a step, which depend on its number alone.
    pub(super) fn examples(&mut self, step: u64, count: usize) -> Vec<Example> {
        self.lessons.examples(step * count as u64, count)
    }

    /// How many positions of records were learned from after so many steps.
    pub(super) fn learned(&self, steps: u64, config: &Config) -> u64 {
        steps * (self.lessons.options().share * config.generation.batch as f64).round() as u64
    }

    /// What the network knows about the games that are held out; `None` if there are none.
    pub(super) fn examine(&self, net: &Net) -> Option<Exam> {
        (!self.questions.is_empty()).then(|| examine(net, &self.questions))
    }

    pub(super) fn longest_side(&self) -> u8 {
        self.lessons.library().longest_side()
    }
}
