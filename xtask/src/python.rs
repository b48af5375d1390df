//! The Python package, in environments of its own below `target/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::cargo;
use crate::report::{LaneSteps, Outcome, run, run_tests};
use crate::system_package::PYTHON;

/// Where an environment has its programs.
const PROGRAMS: &str = if cfg!(windows) { "Scripts" } else { "bin" };

/// What the tests cannot do without.
const TOOLS: [&str; 5] = [
    "numpy",
    "pytest",
    "mypy",
    "pyright",
    "tomli; python_version < '3.11'",
];

/// What adapters adapt to. A test whose package is missing is skipped, and says so.
const ADAPTED: [&[&str]; 4] = [
    &["gymnasium==1.4.0"],
    &["pettingzoo==1.27.0"],
    &["open_spiel==2.0.2"],
    // `ray[rllib]` would ask for an older Gymnasium, which it does not need.
    &[
        "ray==2.60.0",
        "dm-tree",
        "fsspec",
        "lz4",
        "ormsgpack",
        "pandas",
        "pyarrow",
        "pydantic",
        "pyyaml",
        "requests",
        "scipy",
        "tensorboardX",
    ],
];

/// What runs networks and teaches them elsewhere, and must agree. Each version of Python gets the newest that it can
/// have.
const FRAMEWORKS: [&str; 2] = ["onnxruntime>=1.20", "jax>=0.6"];

/// The packages that are compared with in long runs. Versions are fixed: a new one may differ in ways that nobody has
/// explained yet.
const PEERS: [&str; 9] = [
    "gymnasium==1.4.0",
    "pettingzoo[classic]==1.27.0",
    "open_spiel==2.0.2",
    "pgx==2.6.0",
    "mctx==0.0.71",
    "envpool==1.2.5",
    "torch==2.15.0",
    "stable_baselines3==2.9.2",
    "torchrl==0.14.1",
];

/// An environment with the package built from this checkout.
pub(crate) struct PythonEnvironment {
    python: PathBuf,
}

impl PythonEnvironment {
    /// Makes or finds the environment of this name and puts these packages into it; an outcome other than success says
    /// why there is none.
    pub(crate) fn make(name: &str, packages: &[&str]) -> Result<Result<Self, Outcome>> {
        if let Err(reason) = PYTHON.ensure() {
            return Ok(Err(Outcome::Missing(format!("{reason:#}"))));
        }
        let folder = cargo::root()?.join("target").join(name);
        let python = folder.join(PROGRAMS).join("python");
        if !folder.join(PROGRAMS).exists() {
            fs::create_dir_all(&folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
            let mut make = Command::new("python3");
            make.args(["-m", "venv"]).arg(&folder);
            if let failed @ Outcome::Failed(..) = run(&mut make)? {
                return Ok(Err(failed));
            }
        }
        let environment = Self { python };
        if !environment.install(packages)? {
            let reason = "pip could not install what the tests need: see above, and try again with a network";
            return Ok(Err(Outcome::Missing(reason.to_owned())));
        }
        Ok(Ok(environment))
    }

    /// The same with the package of this checkout, built as a user would build it.
    fn with_tengen(name: &str, packages: &[&str]) -> Result<Result<Self, Outcome>> {
        let environment = match Self::make(name, packages)? {
            Ok(environment) => environment,
            Err(outcome) => return Ok(Err(outcome)),
        };
        Ok(match environment.add_tengen(&[])? {
            Outcome::Passed(_) => Ok(environment),
            outcome => Err(outcome),
        })
    }

    /// Builds the package of this checkout as a user would, but for these arguments of maturin.
    fn add_tengen(&self, arguments: &[&str]) -> Result<Outcome> {
        let mut pip = self.pip();
        pip.args(["--force-reinstall", "--no-deps"]);
        for argument in arguments {
            pip.arg(format!("--config-settings=build-args={argument}"));
        }
        run(pip.arg("./python"))
    }

    fn pip(&self) -> Command {
        let mut pip = self.run();
        pip.args([
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
        ]);
        pip
    }

    fn install(&self, packages: &[&str]) -> Result<bool> {
        Ok(matches!(
            run(self.pip().args(packages))?,
            Outcome::Passed(_)
        ))
    }

    /// The interpreter, started in the root of the workspace.
    pub(crate) fn run(&self) -> Command {
        let mut python = Command::new(&self.python);
        if let Ok(root) = cargo::root() {
            python.current_dir(root);
        }
        python.stdin(Stdio::null());
        python
    }

    /// The interpreter.
    pub(crate) fn python(&self) -> &Path {
        &self.python
    }

    /// The folder with the interpreter and the programs of packages.
    pub(crate) fn programs(&self) -> &Path {
        self.python.parent().unwrap_or(Path::new(""))
    }

    /// A program of one of its packages, which finds those of the others.
    pub(crate) fn program(&self, name: &str) -> Result<Command> {
        let folder = self.programs();
        let mut program = Command::new(folder.join(name));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = [folder.to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&path));
        program.env("PATH", std::env::join_paths(folders)?);
        program.stdin(Stdio::null());
        Ok(program)
    }

    /// Runs the tests of the package.
    pub(crate) fn test(&self) -> Result<Outcome> {
        self.test_folder("python/tests")
    }

    /// Runs the tests of a folder; comparisons with peers only where it is theirs.
    fn test_folder(&self, folder: &str) -> Result<Outcome> {
        let mut python = self.run();
        // Failures show what went wrong, skipped tests why.
        python.args([
            "-m",
            "pytest",
            "-q",
            "-rs",
            "-p",
            "no:cacheprovider",
            "--durations=10",
            folder,
        ]);
        run_tests(python)
    }
}

/// An environment with all packages that the tests need, but for ours.
pub(crate) struct Packages(PythonEnvironment);

impl Packages {
    /// Makes the environment. The outcome says what is missing.
    pub(crate) fn install() -> Result<Result<Self, Outcome>> {
        let environment = match PythonEnvironment::make("python", &TOOLS)? {
            Ok(environment) => environment,
            Err(outcome) => return Ok(Err(outcome)),
        };
        for packages in ADAPTED.into_iter().chain([&FRAMEWORKS[..]]) {
            if !environment.install(packages)? {
                let reason = format!("pip could not install {}", packages[0]);
                return Ok(Err(Outcome::Missing(reason)));
            }
        }
        Ok(Ok(Self(environment)))
    }
}

/// Builds the package and installs it.
pub(crate) fn add_package(steps: &mut LaneSteps, packages: Packages) -> Option<PythonEnvironment> {
    let Packages(environment) = packages;
    // In the profile of the other tests nearly everything is compiled already, and overflow is noticed.
    let is_built = steps.step("Python package", || {
        environment.add_tengen(&["--profile=dev"])
    });
    is_built.then_some(environment)
}

/// An environment with the package alone, or the outcome of a step that could not make it.
pub(crate) fn alone() -> Result<Result<PythonEnvironment, Outcome>> {
    PythonEnvironment::with_tengen("python", &TOOLS)
}

/// An environment with the package and other programs for networks, or the outcome of a step that could not make it.
pub(crate) fn with_frameworks() -> Result<Result<PythonEnvironment, Outcome>> {
    let packages: Vec<&str> = TOOLS.into_iter().chain(FRAMEWORKS).collect();
    PythonEnvironment::with_tengen("python", &packages)
}

/// An environment with the package and its peers, or the outcome of a step that could not make it.
pub(crate) fn with_peers() -> Result<Result<PythonEnvironment, Outcome>> {
    let packages: Vec<&str> = TOOLS.into_iter().chain(PEERS).collect();
    PythonEnvironment::with_tengen("python-peers", &packages)
}

/// Plays thousands of games through other packages and ours.
pub(crate) fn compare() -> Result<Outcome> {
    match with_peers()? {
        Ok(environment) => environment.test_folder("python/tests/peers"),
        Err(outcome) => Ok(outcome),
    }
}
