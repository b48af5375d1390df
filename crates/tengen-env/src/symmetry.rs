//! Actions under rotations and reflections.

use tengen_core::{Move, Symmetry};

use crate::action::Actions;

impl Actions {
    /// For each action, its number after the board was turned or mirrored. On a frame that is not square, those that
    /// exchange rows and columns count on the transposed frame.
    ///
    /// ```
    /// use tengen_core::{Size, Symmetry};
    /// use tengen_env::Actions;
    ///
    /// let actions = Actions::on(Size::new(3, 2)?);
    /// assert_eq!(actions.turned(Symmetry::MIRROR), [2, 1, 0, 5, 4, 3, 6]);
    /// # Ok::<(), tengen_core::SizeError>(())
    /// ```
    pub fn turned(self, symmetry: Symmetry) -> Vec<usize> {
        let turned = Self::on(symmetry.size(self.frame()));
        (0..self.count())
            .filter_map(|number| self.action(number))
            .map(|action| match action {
                Move::Play(point) => turned.number(Move::Play(symmetry.apply(point, self.frame()))),
                Move::Pass => turned.pass(),
            })
            .collect()
    }
}
