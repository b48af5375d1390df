//! The cycles of a graph.

/// A graph whose vertices are numbers, as lists of where edges lead.
pub(super) struct Edges {
    starts: Vec<u64>,
    targets: Vec<u32>,
}

impl Edges {
    /// The graph with so many vertices and the edges that `each` tells of, which is asked twice and tells the same.
    pub(super) fn collect(vertices: usize, each: impl Fn(&mut dyn FnMut(u32, u32))) -> Self {
        let mut starts = vec![0_u64; vertices + 1];
        each(&mut |from, _| starts[from as usize + 1] += 1);
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut targets = vec![0; starts[vertices] as usize];
        let mut next = starts.clone();
        each(&mut |from, to| {
            let place = &mut next[from as usize];
            targets[*place as usize] = to;
            *place += 1;
        });
        Self { starts, targets }
    }

    fn vertices(&self) -> usize {
        self.starts.len() - 1
    }

    fn from(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.targets[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// For each vertex on a cycle the number of the knot of cycles that it belongs to, [`NO_CYCLE`] for all others.
    ///
    /// Two vertices are in one knot when each can be reached from the other (Tarjan's algorithm).
    pub(super) fn knots(&self) -> Vec<u32> {
        const UNSEEN: u32 = u32::MAX;
        let mut order = vec![UNSEEN; self.vertices()];
        let mut low = vec![0_u32; self.vertices()];
        let mut knots = vec![NO_CYCLE; self.vertices()];
        let mut is_open = vec![false; self.vertices()];
        let mut open = Vec::new();
        let mut path: Vec<(u32, usize)> = Vec::new();
        let mut seen = 0;
        let mut found = 0;
        for root in 0..self.vertices() as u32 {
            if order[root as usize] != UNSEEN {
                continue;
            }
            path.push((root, 0));
            while let Some((vertex, next)) = path.last_mut() {
                let at = *vertex as usize;
                if *next == 0 {
                    order[at] = seen;
                    low[at] = seen;
                    seen += 1;
                    open.push(*vertex);
                    is_open[at] = true;
                }
                if let Some(to) = self.from(*vertex).get(*next) {
                    *next += 1;
                    let to = *to as usize;
                    if order[to] == UNSEEN {
                        path.push((to as u32, 0));
                    } else if is_open[to] {
                        low[at] = low[at].min(order[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    let parent = *parent as usize;
                    low[parent] = low[parent].min(low[at]);
                }
                if low[at] < order[at] {
                    continue;
                }
                // All that was opened since belongs to the knot of this vertex.
                let first = open.iter().rposition(|other| *other as usize == at);
                let members = open.split_off(first.unwrap_or(open.len()));
                let is_cycle = members.len() > 1 || self.from(at as u32).contains(&(at as u32));
                for member in members {
                    is_open[member as usize] = false;
                    if is_cycle {
                        knots[member as usize] = found;
                    }
                }
                found += u32::from(is_cycle);
            }
        }
        knots
    }
}

/// The mark of a vertex that is on no cycle.
pub(super) const NO_CYCLE: u32 = u32::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    fn knots(vertices: usize, edges: &[(u32, u32)]) -> Vec<u32> {
        let each = |tell: &mut dyn FnMut(u32, u32)| edges.iter().for_each(|(a, b)| tell(*a, *b));
        Edges::collect(vertices, each).knots()
    }

    #[test]
    fn no_cycle_no_knot() {
        assert_eq!(knots(0, &[]), []);
        assert_eq!(knots(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]), [NO_CYCLE; 4]);
    }

    #[test]
    fn knots_are_told_apart() {
        let found = knots(
            7,
            &[
                (0, 1),
                (1, 2),
                (2, 1),
                (2, 3),
                (3, 4),
                (4, 5),
                (5, 3),
                (6, 6),
            ],
        );
        assert_eq!(found[0], NO_CYCLE);
        assert_eq!(found[1], found[2]);
        assert_eq!((found[3], found[3]), (found[4], found[5]));
        assert!(found[1] != found[3] && found[6] != NO_CYCLE && found[6] != found[1]);
    }

    #[test]
    fn agrees_with_reachability_on_small_graphs() {
        // All graphs on three vertices, loops included.
        for graph in 0..1_u32 << 9 {
            let edges: Vec<(u32, u32)> = (0..9)
                .filter(|bit| graph >> bit & 1 != 0)
                .map(|bit| (bit / 3, bit % 3))
                .collect();
            let mut reach = [[false; 3]; 3];
            for (a, b) in &edges {
                reach[*a as usize][*b as usize] = true;
            }
            for middle in 0..3 {
                for a in 0..3 {
                    for b in 0..3 {
                        reach[a][b] |= reach[a][middle] && reach[middle][b];
                    }
                }
            }
            let found = knots(3, &edges);
            for a in 0..3 {
                assert_eq!(found[a] != NO_CYCLE, reach[a][a], "{edges:?}");
                for b in 0..3 {
                    let together = found[a] == found[b] && found[a] != NO_CYCLE;
                    assert_eq!(together, reach[a][b] && reach[b][a], "{edges:?}");
                }
            }
        }
    }
}
