//! Derivations to files.

use std::io::{self, Write};

use tengen_core::{Color, Ko, Point};

use super::super::blocks::put_number;
use super::super::situation::bits;
use super::super::summed::SummedOutput;
use super::super::{MAGIC, VERSION_WITH_KIND, Written};
use super::{BLOCK, Derivation, KIND, Link, SYMMETRIES, Step};

impl Derivation {
    /// Writes it.
    pub fn write(&self, out: impl Write) -> io::Result<Written> {
        let mut out = SummedOutput::new(out);
        out.put(&self.header())?;
        out.put_sum()?;
        let mut block = Vec::new();
        let mut first = 0;
        while first < self.len() {
            let last = self.len().min(first + BLOCK);
            block.clear();
            for number in first..last {
                self.put_step(&mut block, number);
            }
            out.put(&((last - first) as u32).to_le_bytes())?;
            out.put(&(block.len() as u32).to_le_bytes())?;
            out.put(&block)?;
            out.put_sum()?;
            first = last;
        }
        out.put(&0_u32.to_le_bytes())?;
        out.put_sum()?;
        out.flush()?;
        Ok(Written {
            entries: self.len() as u64,
            bytes: out.bytes,
        })
    }

    fn put_step(&self, block: &mut Vec<u8>, number: usize) {
        let (step, links) = self.step(number);
        put_number(block, self.code(step));
        if step.to_move == self.claim.bound.prover {
            let pass = self.claim.start.size.area() as u128;
            put_number(block, step.reply.map_or(pass, u128::from));
        } else {
            put_number(block, links.len() as u128);
        }
        for link in links {
            put_number(
                block,
                match *link {
                    Link::Banned => 0,
                    Link::Leaf => 1,
                    Link::Step { step, symmetry } => {
                        let back = number as u128 - u128::from(step) - 1;
                        2 + back * SYMMETRIES + u128::from(symmetry)
                    }
                },
            );
        }
    }

    /// The number of a step's situation.
    fn code(&self, step: &Step) -> u128 {
        let points = (0..self.claim.start.size.area() as u8).rev();
        let stones = points.fold(0_u128, |number, point| {
            let digit = match step.situation.color_at(point) {
                None => 0,
                Some(Color::Black) => 1,
                Some(Color::White) => 2,
            };
            number * 3 + digit
        });
        (stones * 2 + u128::from(step.situation.passed)) * 2
            + u128::from(step.to_move == Color::White)
    }

    /// The first part of the file, before its checksum.
    fn header(&self) -> Vec<u8> {
        let start = &self.claim.start;
        let size = start.size;
        let color = |color| match color {
            Color::Black => 0,
            Color::White => 1,
        };
        let place = |ko: Point| ko.y() * size.width() + ko.x();
        let mut header = MAGIC.to_vec();
        header.extend([VERSION_WITH_KIND, KIND]);
        header.push(match self.ko {
            Ko::Simple => 0,
            Ko::Positional => 1,
            Ko::Situational => 2,
        });
        header.extend([size.width(), size.height()]);
        header.extend([color(start.to_move), self.claim.passed.into()]);
        header.push(start.ko.map_or(0, |ko| place(ko) + 1));
        header.push(color(self.claim.bound.prover));
        header.extend((self.claim.bound.margin as i16).to_le_bytes());
        for color in Color::BOTH {
            header.extend(bits(&start.stones[color], size).to_le_bytes());
        }
        header.extend((self.len() as u64).to_le_bytes());
        header
    }
}
