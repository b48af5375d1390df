//! The commands by name.

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::failure::Reply;
use crate::gtp::session::Session;
use crate::gtp::{
    analyzing, drawing, facts, parameters, position, program, records, rules, scoring, thinking,
    timing,
};

/// What a command does.
pub(crate) type Handler = fn(&mut Session, &Arguments<'_>, &mut Channel<'_>) -> Reply;

/// All commands, by family, in the order in which they are listed.
pub(crate) const COMMANDS: [(&str, Handler); 82] = [
    ("protocol_version", program::protocol_version),
    ("name", program::name),
    ("version", program::version),
    ("known_command", program::known_command),
    ("list_commands", program::list_commands),
    ("help", program::list_commands),
    ("quit", program::quit),
    ("echo", program::echo),
    ("gomill-describe_engine", program::describe),
    ("cputime", program::time_used),
    ("gomill-cpu_time", program::time_used),
    ("boardsize", position::boardsize),
    ("rectangular_boardsize", position::boardsize),
    ("query_boardsize", position::query_boardsize),
    ("clear_board", position::clear_board),
    ("komi", position::komi),
    ("get_komi", position::get_komi),
    ("fixed_handicap", position::fixed_handicap),
    ("place_free_handicap", position::place_free_handicap),
    ("set_free_handicap", position::set_free_handicap),
    ("get_handicap", position::get_handicap),
    ("play", position::play),
    ("undo", position::undo),
    ("gg-undo", position::undo_many),
    ("set_position", position::set_position),
    ("gogui-setup", position::set_up_stones),
    ("gogui-setup_player", position::set_player),
    ("gogui-play_sequence", position::play_sequence),
    ("genmove", thinking::genmove),
    ("reg_genmove", thinking::regression),
    ("kata-search", thinking::regression),
    ("kgs-genmove_cleanup", thinking::clean_up),
    ("gomill-explain_last_move", thinking::explain),
    ("kgs-game_over", thinking::game_over),
    ("clear_cache", thinking::clear_cache),
    ("stop", thinking::stop),
    ("analyze", analyzing::kata),
    ("lz-analyze", analyzing::leela),
    ("kata-analyze", analyzing::kata),
    ("genmove_analyze", analyzing::kata_genmove),
    ("lz-genmove_analyze", analyzing::leela_genmove),
    ("kata-genmove_analyze", analyzing::kata_genmove),
    ("kata-search_analyze", analyzing::kata_search),
    ("time_settings", timing::settings),
    ("time_left", timing::left),
    ("kgs-time_settings", timing::settings_by_kind),
    ("kata-time_settings", timing::settings_by_kind),
    ("kata-list_time_settings", timing::list_kinds),
    ("kgs-rules", rules::set),
    ("kata-get-rules", rules::get),
    ("kata-set-rules", rules::set),
    ("kata-set-rule", rules::set_one),
    ("kata-list-params", parameters::list),
    ("kata-get-param", parameters::get),
    ("kata-set-param", parameters::set),
    ("lz-setoption", parameters::set_option),
    ("level", parameters::level),
    ("get_random_seed", parameters::get_seed),
    ("set_random_seed", parameters::set_seed),
    ("final_score", scoring::score),
    ("final_status", scoring::status),
    ("final_status_list", scoring::status_list),
    ("loadsgf", records::load),
    ("printsgf", records::print),
    ("showboard", facts::showboard),
    ("color", facts::color),
    ("list_stones", facts::list_stones),
    ("countlib", facts::count_liberties),
    ("findlib", facts::list_liberties),
    ("is_legal", facts::is_legal),
    ("all_legal", facts::all_legal),
    ("captures", facts::captures),
    ("last_move", facts::last_move),
    ("move_history", facts::move_history),
    ("gogui-interrupt", drawing::interrupt),
    ("gogui-title", drawing::title),
    ("gogui-analyze_commands", drawing::analyze_commands),
    ("tengen-best_moves", drawing::best_moves),
    ("tengen-win_rates", drawing::win_rates),
    ("tengen-visits", drawing::visits),
    ("tengen-prior", drawing::prior),
    ("tengen-ownership", drawing::ownership),
];

/// What the command with this name does.
pub(crate) fn find(name: &str) -> Option<Handler> {
    let command = COMMANDS.iter().find(|(command, _)| *command == name);
    command.map(|(_, handler)| *handler)
}
