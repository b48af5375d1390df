//! Scripts that import each other, as one: a browser far from its host waits for one answer instead of forty.
//!
//! The scripts of the page are as regular as their formatter leaves them: imports and exports begin lines, names are
//! exported where they are declared, and no script imports itself by way of others. What is not so is refused.

use std::fmt::Write;

use anyhow::{Context, Result, bail, ensure};

use super::joined;

/// Where scripts beside the bundle find those in it.
const MODULES: &str = "modules";

/// Scripts, each after all that it imports.
#[derive(Debug)]
pub(super) struct Bundle {
    scripts: Vec<Script>,
}

/// A script without the words that only modules may have.
#[derive(Debug)]
struct Script {
    /// Its path from the page.
    name: String,
    imports: Vec<Import>,
    exports: Vec<String>,
    has_default: bool,
    body: String,
}

/// One statement with `import`: what is declared by it, and which script it comes from.
#[derive(Debug)]
struct Import {
    pattern: Pattern,
    from: String,
}

#[derive(Debug)]
enum Pattern {
    /// `{ a, b as c }`, as it is taken from an object: `{ a, b: c }`.
    Names(String),
    /// `a`: what the other script exports as its default.
    Default(String),
    /// `* as a`: all of it.
    All(String),
}

impl Bundle {
    /// A script with all that it imports, and what these import.
    pub(super) fn of<'a>(first: &str, read: &dyn Fn(&str) -> Option<&'a str>) -> Result<Self> {
        let mut bundle = Self {
            scripts: Vec::new(),
        };
        bundle.add(first, read, &mut Vec::new())?;
        Ok(bundle)
    }

    fn add<'a>(
        &mut self,
        name: &str,
        read: &dyn Fn(&str) -> Option<&'a str>,
        path: &mut Vec<String>,
    ) -> Result<()> {
        if self.has(name) {
            return Ok(());
        }
        ensure!(
            !path.iter().any(|other| other == name),
            "{name} imports itself by way of others"
        );
        let text = read(name).with_context(|| format!("{name} is imported and not there"))?;
        let script = Script::parse(name, text).with_context(|| name.to_owned())?;
        path.push(name.to_owned());
        for import in &script.imports {
            self.add(&import.from, read, path)?;
        }
        path.pop();
        self.scripts.push(script);
        Ok(())
    }

    /// Is a script in it?
    pub(super) fn has(&self, name: &str) -> bool {
        self.scripts.iter().any(|script| script.name == name)
    }

    /// The whole as one script, which will lie at that path from the page.
    pub(super) fn text(&self, place: &str) -> String {
        let mut text = format!("export const {MODULES} = {{}};\n");
        for script in &self.scripts {
            _ = writeln!(text, "{MODULES}[\"{}\"] = (() => {{", script.name);
            for Import { pattern, from } in &script.imports {
                _ = match pattern {
                    Pattern::Names(names) => {
                        writeln!(text, "const {names} = {MODULES}[\"{from}\"];")
                    }
                    Pattern::Default(name) => {
                        writeln!(text, "const {name} = {MODULES}[\"{from}\"].default;")
                    }
                    Pattern::All(name) => writeln!(text, "const {name} = {MODULES}[\"{from}\"];"),
                };
            }
            text += &moved(&script.body, &script.name, place);
            let mut exports = script.exports.join(", ");
            if script.has_default {
                exports += if exports.is_empty() { "" } else { ", " };
                exports += "default: default_";
            }
            _ = writeln!(text, "return {{ {exports} }};\n}})();");
        }
        text
    }

    /// What lies in a script's place, for others that are loaded later and import it: the same values, from the bundle.
    pub(super) fn stub(&self, name: &str, place: &str) -> Option<String> {
        let script = self.scripts.iter().find(|script| script.name == name)?;
        let up = "../".repeat(name.matches('/').count());
        let up = if up.is_empty() { "./" } else { &up };
        let mut text = format!("import {{ {MODULES} }} from \"{up}{place}\";\n");
        if !script.exports.is_empty() {
            _ = writeln!(
                text,
                "export const {{ {} }} = {MODULES}[\"{name}\"];",
                script.exports.join(", ")
            );
        }
        if script.has_default {
            _ = writeln!(text, "export default {MODULES}[\"{name}\"].default;");
        }
        Some(text)
    }
}

impl Script {
    fn parse(name: &str, text: &str) -> Result<Self> {
        let mut script = Self {
            name: name.to_owned(),
            imports: Vec::new(),
            exports: Vec::new(),
            has_default: false,
            body: String::new(),
        };
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("import ") {
                let mut statement = line.to_owned();
                while !statement.ends_with(';') {
                    statement += " ";
                    statement += lines.next().context("an import has no end")?.trim();
                }
                script.imports.push(Import::parse(name, &statement)?);
            } else if let Some(declared) = line.strip_prefix("export default ") {
                script.has_default = true;
                script.body += &format!("const default_ = {declared}\n");
            } else if line == "export {};" {
                // It only says that the file is a module.
            } else if let Some(declared) = line.strip_prefix("export ") {
                script.exports.push(declared_name(declared)?.to_owned());
                script.body += &format!("{declared}\n");
            } else {
                script.body += &format!("{line}\n");
            }
        }
        Ok(script)
    }
}

impl Import {
    fn parse(name: &str, statement: &str) -> Result<Self> {
        let parts = statement
            .strip_prefix("import ")
            .and_then(|rest| rest.strip_suffix("\";"))
            .and_then(|rest| rest.split_once(" from \""));
        let (declared, from) = parts.with_context(|| format!("cannot read `{statement}`"))?;
        ensure!(from.starts_with('.'), "{from} is no file of the page");
        let pattern = if declared.starts_with('{') {
            Pattern::Names(declared.replace(" as ", ": "))
        } else if let Some(all) = declared.strip_prefix("* as ") {
            Pattern::All(all.to_owned())
        } else if declared.chars().all(char::is_alphanumeric) {
            Pattern::Default(declared.to_owned())
        } else {
            bail!("cannot read `{statement}`");
        };
        Ok(Self {
            pattern,
            from: joined(name, from),
        })
    }
}

/// The name in `function name(…)`, `const name = …` and the like. What may change later is not exported as a value.
fn declared_name(declared: &str) -> Result<&str> {
    let declared = declared.strip_prefix("async ").unwrap_or(declared);
    let name = ["function ", "function* ", "class ", "const "]
        .iter()
        .find_map(|word| declared.strip_prefix(word))
        .and_then(|rest| {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
        });
    match name {
        Some(name) if !name.is_empty() => Ok(name),
        _ => bail!("cannot read `export {declared}`"),
    }
}

/// The text of a script that lies elsewhere now: what it loads later, or finds beside itself, is where it was.
fn moved(body: &str, name: &str, place: &str) -> String {
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or(String::new(), |(folder, _)| format!("{folder}/"))
    };
    if folder(name) == folder(place) {
        return body.to_owned();
    }
    let up = "../".repeat(place.matches('/').count());
    let mut text = body.replace(
        "import.meta.url",
        &format!("new URL(\"{up}{name}\", import.meta.url)"),
    );
    for quote in ['"', '`'] {
        let load = format!("import({quote}.");
        let mut parts = text.split(load.as_str());
        let mut result = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (path, rest) = part.split_once(quote).unwrap_or((part, ""));
            let there = joined(name, &format!(".{path}"));
            let up = if up.is_empty() { "./" } else { &up };
            _ = write!(result, "import({quote}{up}{there}{quote}{rest}");
        }
        text = result;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = "import { Board } from \"./board/board.js\";\nimport words from \"./words.js\";\n\n\
        export const main = new Board(words.hello);\n";
    const BOARD: &str = "// A board.\nimport {\n  wood,\n  stone as STONE,\n} from \"./wood.js\";\n\
        import * as all from \"./wood.js\";\n\nexport class Board {}\n\
        export async function later() {\n  return import(\"./later.js\");\n}\n\
        const place = new URL(\"./x.png\", import.meta.url);\n";
    const WOOD: &str = "export const wood = 1;\nexport function stone() {}\n";
    const WORDS: &str = "export default {\n  hello: \"hello\",\n};\n";

    fn read(name: &str) -> Option<&'static str> {
        match name {
            "main.js" => Some(MAIN),
            "board/board.js" => Some(BOARD),
            "board/wood.js" => Some(WOOD),
            "words.js" => Some(WORDS),
            _ => None,
        }
    }

    #[test]
    fn a_bundle_has_each_script_once_behind_what_it_imports() {
        let text = Bundle::of("main.js", &read).unwrap().text("page.js");
        let places = ["board/wood.js", "board/board.js", "words.js", "main.js"]
            .map(|name| text.find(&format!("modules[\"{name}\"] = ")).unwrap());
        assert!(places.is_sorted(), "{text}");
        for line in [
            "const { wood, stone: STONE, } = modules[\"board/wood.js\"];",
            "const all = modules[\"board/wood.js\"];",
            "const words = modules[\"words.js\"].default;",
            "return { Board, later };",
            "return { default: default_ };",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        assert!(!text.lines().any(|line| line.starts_with("import ")));
    }

    #[test]
    fn what_is_loaded_later_is_found_from_the_new_place() {
        let text = Bundle::of("main.js", &read).unwrap().text("page.js");
        assert!(text.contains("import(\"./board/later.js\")"), "{text}");
        assert!(
            text.contains("new URL(\"./x.png\", new URL(\"board/board.js\", import.meta.url))")
        );
    }

    #[test]
    fn a_stub_gives_what_the_script_gave() {
        let bundle = Bundle::of("main.js", &read).unwrap();
        assert_eq!(
            bundle.stub("board/wood.js", "page.js").as_deref(),
            Some(
                "import { modules } from \"../page.js\";\n\
                 export const { wood, stone } = modules[\"board/wood.js\"];\n"
            )
        );
        assert_eq!(
            bundle.stub("words.js", "page.js").as_deref(),
            Some(
                "import { modules } from \"./page.js\";\nexport default modules[\"words.js\"].default;\n"
            )
        );
        assert_eq!(bundle.stub("else.js", "page.js"), None);
    }

    #[test]
    fn what_it_does_not_understand_is_refused() {
        for (text, complaint) in [
            ("export let x = 1;\n", "cannot read `export let x = 1;`"),
            (
                "import x, { y } from \"./x.js\";\n",
                "cannot read `import x, { y } from \"./x.js\";`",
            ),
            (
                "import { y } from \"elsewhere\";\n",
                "elsewhere is no file of the page",
            ),
        ] {
            let error = Bundle::of("a.js", &|_| Some(text)).unwrap_err();
            assert_eq!(error.root_cause().to_string(), complaint);
        }
        let circle = |name: &str| match name {
            "a.js" => Some("import { b } from \"./b.js\";\n"),
            _ => Some("import { a } from \"./a.js\";\n"),
        };
        let error = Bundle::of("a.js", &circle).unwrap_err();
        assert_eq!(error.to_string(), "a.js imports itself by way of others");
    }
}
