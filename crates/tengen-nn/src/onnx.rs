//! Networks for other programs: the format ONNX.

mod message;

use self::message::Message;
use crate::architecture::{FEATURES, GLOBALS, PLANES, POLICY, SUMMARY};
use crate::net::{LEAD_SCALE, Net};

/// The version of the format.
const FORMAT_VERSION: u64 = 8;

/// The version of the set of operators.
const OPERATORS: u64 = 17;

/// The types of numbers that occur.
const FLOAT: u64 = 1;
const INTEGER: u64 = 7;

/// A dimension of an array that goes in or comes out.
#[derive(Clone, Copy)]
enum Dimension {
    Fixed(usize),
    Named(&'static str),
}

const BATCH: Dimension = Dimension::Named("batch");
const HEIGHT: Dimension = Dimension::Named("height");
const WIDTH: Dimension = Dimension::Named("width");
const ACTIONS: Dimension = Dimension::Named("actions");

impl Net {
    /// The network as the bytes of an ONNX file, for boards of every size in batches of every size.
    ///
    /// Inputs are `planes`, those of [`Features::Tactical`](tengen_env::Features::Tactical) as batch × 23 × height ×
    /// width, and `globals`, the numbers that [`Inputs::globals`](crate::Inputs::globals) gives, as batch × 8. Outputs
    /// are those of [`Output`](crate::Output): `policy` as logits, batch × (height · width + 1); `value`, the
    /// probabilities to win, to draw and to lose, batch × 3; `lead`, batch; `ownership`, batch × height × width.
    pub fn to_onnx(&self) -> Vec<u8> {
        let graph = Graph::of(self).message();
        let operators = Message::default().bytes(1, "").number(2, OPERATORS);
        let note = |(name, value): (&str, &str)| Message::default().bytes(1, name).bytes(2, value);
        let architecture = self.architecture().to_string();
        let notes = [
            ("architecture", architecture.as_str()),
            ("features", FEATURES.name()),
        ];
        Message::default()
            .number(1, FORMAT_VERSION)
            .bytes(2, "tengen")
            .bytes(3, env!("CARGO_PKG_VERSION"))
            .message(7, &graph)
            .message(8, &operators)
            .messages(14, &notes.map(note))
            .into_bytes()
    }
}

/// The arithmetic of a network, operator by operator. Values are known by their names.
struct Graph<'a> {
    net: &'a Net,
    nodes: Vec<Message>,
    /// Arrays that do not change.
    constants: Vec<Message>,
}

impl<'a> Graph<'a> {
    /// Every product with weights is a convolution, with values of a whole board as a board of one point, because that
    /// is what programs that run such files are best at.
    fn of(net: &'a Net) -> Self {
        let mut graph = Self {
            net,
            nodes: Vec::new(),
            constants: Vec::new(),
        };
        graph.size_factor();
        let last = graph.trunk();
        graph.heads(&last);
        graph
    }

    /// `size_factor`: by how much a mean says more about a sum on boards of this size.
    fn size_factor(&mut self) {
        self.number("scale.side", 9.0);
        self.number("scale.one", 1.0);
        let start = [integer("start", 2)];
        self.node("Shape", &["planes"], &["board.shape"], &start);
        let to = [integer("to", FLOAT)];
        self.node("Cast", &["board.shape"], &["board.sides"], &to);
        let keep = [integer("keepdims", 0)];
        self.node("ReduceProd", &["board.sides"], &["board.area"], &keep);
        self.node("Sqrt", &["board.area"], &["board.side"], &[]);
        self.node("Div", &["board.side", "scale.side"], &["board.ratio"], &[]);
        self.node("Sub", &["board.ratio", "scale.one"], &["size_factor"], &[]);
    }

    fn trunk(&mut self) -> String {
        self.integers("axes.board", &[2, 3]);
        let one_point = "globals.board";
        self.node("Unsqueeze", &["globals", "axes.board"], &[one_point], &[]);
        let globals = self.product("stem.globals", one_point, None);
        let stem = self.product("stem.weight", "planes", Some("stem.bias"));
        let mut state = self.rectified_sum("stem", &[&stem, &globals]);
        for block in 0..self.net.architecture().blocks {
            let name = |part: &str| format!("blocks.{block}.{part}");
            let pooled = self.pool(&name("pooling"), &state);
            let pooled = self.product(&name("first.pooled"), &pooled, None);
            let bias = name("first.bias");
            let first = self.product(&name("first.weight"), &state, Some(&bias));
            let inner = self.rectified_sum(&name("first"), &[&first, &pooled]);
            let bias = name("second.bias");
            let second = self.product(&name("second.weight"), &inner, Some(&bias));
            state = self.rectified_sum(&name("second"), &[&state, &second]);
        }
        state
    }

    fn heads(&mut self, last: &str) {
        let channels = integer("axis", 1);
        let head = self.product("head.weight", last, Some("head.bias"));
        self.integers("head.parts", &[POLICY as u64, SUMMARY as u64]);
        let parts = ["head.looks", "head.summary"];
        let split = std::slice::from_ref(&channels);
        self.node("Split", &[&head, "head.parts"], &parts, split);
        let summary = self.rectified_sum("summary", &["head.summary"]);
        let pooled = self.pool("summary.pooling", &summary);

        let bias = self.product("policy.pooled", &pooled, None);
        let looks = self.rectified_sum("looks", &["head.looks", &bias]);
        let points = self.product("policy.weight", &looks, None);
        let pass = self.product("pass.weight", &pooled, Some("pass.bias"));
        let [points, pass] = [points, pass].map(|value| self.flatten(&value));
        self.node("Concat", &[&points, &pass], &["policy"], split);

        let owner = self.product("ownership.weight", &summary, None);
        self.integers("axes.channels", &[1]);
        self.node("Squeeze", &[&owner, "axes.channels"], &["owner"], &[]);
        self.node("Tanh", &["owner"], &["ownership"], &[]);

        let hidden = self.product("hidden.weight", &pooled, Some("hidden.bias"));
        let hidden = self.rectified_sum("hidden", &[&hidden]);
        let values = self.product("value.weight", &hidden, Some("value.bias"));
        let values = self.flatten(&values);
        self.integers("value.parts", &[3, 1]);
        let parts = ["value.logits", "value.lead"];
        self.node("Split", &[&values, "value.parts"], &parts, split);
        self.node("Softmax", &["value.logits"], &["value"], split);
        self.number("scale.lead", LEAD_SCALE);
        self.node("Mul", &["value.lead", "scale.lead"], &["lead.column"], &[]);
        self.node("Squeeze", &["lead.column", "axes.channels"], &["lead"], &[]);
    }

    /// A value times the weights of this name.
    fn product(&mut self, weights: &str, value: &str, bias: Option<&str>) -> String {
        let mut inputs = vec![value, weights];
        inputs.extend(bias);
        let side = self.weights(weights);
        if let Some(bias) = bias {
            self.bias(bias);
        }
        let attributes = [
            integers("kernel_shape", &[side, side]),
            integers("pads", &[side / 2; 4]),
        ];
        let out = format!("{weights}.product");
        self.node("Conv", &inputs, &[&out], &attributes);
        out
    }

    /// The sum of values, or 0 where it is negative.
    fn rectified_sum(&mut self, name: &str, values: &[&str]) -> String {
        let [sum, out] = ["sum", "rectified"].map(|what| format!("{name}.{what}"));
        match values {
            [value] => self.node("Relu", &[value], &[&out], &[]),
            _ => {
                self.node("Add", values, &[&sum], &[]);
                self.node("Relu", &[&sum], &[&out], &[]);
            }
        }
        out
    }

    /// The means, the means by size and the maxima of all channels, as boards of one point.
    fn pool(&mut self, name: &str, value: &str) -> String {
        let [mean, scaled, most, all] =
            ["mean", "scaled", "most", "all"].map(|what| format!("{name}.{what}"));
        self.node("GlobalAveragePool", &[value], &[&mean], &[]);
        self.node("Mul", &[&mean, "size_factor"], &[&scaled], &[]);
        self.node("GlobalMaxPool", &[value], &[&most], &[]);
        let channels = [integer("axis", 1)];
        self.node("Concat", &[&mean, &scaled, &most], &[&all], &channels);
        all
    }

    /// A row for each board.
    fn flatten(&mut self, value: &str) -> String {
        let out = format!("{value}.row");
        self.node("Flatten", &[value], &[&out], &[]);
        out
    }

    fn node(&mut self, operator: &str, inputs: &[&str], outputs: &[&str], attributes: &[Message]) {
        let mut node = Message::default();
        for input in inputs {
            node = node.bytes(1, input);
        }
        for output in outputs {
            node = node.bytes(2, output);
        }
        self.nodes
            .push(node.bytes(4, operator).messages(5, attributes));
    }

    fn part(&self, name: &str) -> (&'a [usize], &'a [f32]) {
        let (part, values) = self
            .net
            .parts()
            .find(|(part, _)| part.name() == name)
            .expect("the network has these weights");
        (part.shape(), values)
    }

    /// Weights, which here come as inputs × outputs for each place of the 3 × 3, in the order outputs × inputs ×
    /// places. Returns how many places there are in each direction.
    fn weights(&mut self, name: &str) -> u64 {
        let (shape, values) = self.part(name);
        let (side, inputs, outputs) = match *shape {
            [side, _, inputs, outputs] => (side, inputs, outputs),
            [inputs, outputs] => (1, inputs, outputs),
            _ => (1, values.len(), 1),
        };
        let places = side * side;
        let mut turned = Vec::with_capacity(values.len());
        for output in 0..outputs {
            for input in 0..inputs {
                let at = |place| values[(place * inputs + input) * outputs + output];
                turned.extend((0..places).map(at));
            }
        }
        self.array(name, &[outputs, inputs, side, side], &turned);
        side as u64
    }

    fn bias(&mut self, name: &str) {
        let (shape, values) = self.part(name);
        self.array(name, shape, values);
    }

    fn number(&mut self, name: &str, number: f32) {
        self.array(name, &[], &[number]);
    }

    fn array(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.constant(name, shape, FLOAT, &bytes);
    }

    fn integers(&mut self, name: &str, values: &[u64]) {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.constant(name, &[values.len()], INTEGER, &bytes);
    }

    fn constant(&mut self, name: &str, shape: &[usize], numbers: u64, bytes: &[u8]) {
        let mut tensor = Message::default();
        for side in shape {
            tensor = tensor.number(1, *side as u64);
        }
        self.constants
            .push(tensor.number(2, numbers).bytes(8, name).bytes(9, bytes));
    }

    fn message(&self) -> Message {
        let planes = Dimension::Fixed(PLANES);
        Message::default()
            .messages(1, &self.nodes)
            .bytes(2, "tengen")
            .messages(5, &self.constants)
            .message(11, &value("planes", &[BATCH, planes, HEIGHT, WIDTH]))
            .message(11, &value("globals", &[BATCH, Dimension::Fixed(GLOBALS)]))
            .message(12, &value("policy", &[BATCH, ACTIONS]))
            .message(12, &value("value", &[BATCH, Dimension::Fixed(3)]))
            .message(12, &value("lead", &[BATCH]))
            .message(12, &value("ownership", &[BATCH, HEIGHT, WIDTH]))
    }
}

/// An array that goes in or comes out.
fn value(name: &str, dimensions: &[Dimension]) -> Message {
    let shape: Vec<Message> = dimensions
        .iter()
        .map(|dimension| match dimension {
            Dimension::Fixed(side) => Message::default().number(1, *side as u64),
            Dimension::Named(name) => Message::default().bytes(2, name),
        })
        .collect();
    let shape = Message::default().messages(1, &shape);
    let tensor = Message::default().number(1, FLOAT).message(2, &shape);
    let kind = Message::default().message(1, &tensor);
    Message::default().bytes(1, name).message(2, &kind)
}

/// The kinds of attributes that occur.
const ONE_INTEGER: u64 = 2;
const MANY_INTEGERS: u64 = 7;

fn integer(name: &str, value: u64) -> Message {
    let attribute = Message::default().bytes(1, name).number(3, value);
    attribute.number(20, ONE_INTEGER)
}

fn integers(name: &str, values: &[u64]) -> Message {
    let attribute = Message::default().bytes(1, name);
    let attribute = values
        .iter()
        .fold(attribute, |a, value| a.number(8, *value));
    attribute.number(20, MANY_INTEGERS)
}
