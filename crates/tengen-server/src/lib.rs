#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod bodies;
mod calls;
mod client;
mod connections;
mod desk;
mod downloads;
mod engines;
mod guard;
mod hosts;
mod intake;
mod interrupt;
mod keeper;
mod listener;
mod live;
mod log;
mod networks;
mod outbox;
mod pace;
mod page;
mod programs;
mod refusal;
mod ring;
mod runs;
mod scheduler;
mod server;
mod settings;
mod store;
mod stream;
mod time;
mod token;

pub use log::Log;
pub use networks::ReadNetwork;
pub use pace::Rate;
pub use page::PageSource;
pub use runs::is_run;
pub use server::{Server, StartError, bind, run};
pub use settings::{Limits, ListenAddress, Port, Program, ServerSettings};
pub use store::StoreError;
pub use time::{ManualTime, SystemClock, Time};
pub use token::{Token, TokenError};
