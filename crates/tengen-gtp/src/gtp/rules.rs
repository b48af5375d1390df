//! Commands about the rules.

use serde_json::{Map, Value, json};
use tengen_core::{Compensation, DeadStones, Ko, Komi, Rules, Scoring, Suicide};

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::session::{Session, done};

/// The rules in KataGo's words. Axes that KataGo lacks are left out.
pub(crate) fn get(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let rules = &session.settings.rules;
    let (scoring, tax) = match rules.scoring {
        Scoring::Area => ("AREA", "NONE"),
        Scoring::AreaAndPrisoners => ("AREAPRISONERS", "NONE"),
        Scoring::Territory => ("TERRITORY", "SEKI"),
    };
    let ko = match rules.ko {
        Ko::Simple => "SIMPLE",
        Ko::Positional => "POSITIONAL",
        Ko::Situational => "SITUATIONAL",
    };
    let bonus = match rules.compensation {
        Compensation::None => "0",
        Compensation::PerStone => "N",
        Compensation::PerStoneButFirst => "N-1",
    };
    Ok(json!({
        "friendlyPassOk": rules.dead_stones == DeadStones::Agreed,
        "hasButton": false,
        "ko": ko,
        "scoring": scoring,
        "suicide": rules.suicide != Suicide::Forbidden,
        "tax": tax,
        "whiteHandicapBonus": bonus,
    })
    .to_string())
}

/// A name, a text such as `koSIMPLEscoreAREA`, or an object of JSON whose fields replace those of the rules.
pub(crate) fn set(session: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    arguments.word(0)?;
    let mut rules = session.settings.rules;
    if arguments.text.starts_with('{') {
        let fields: Map<String, Value> =
            serde_json::from_str(arguments.text).map_err(|_| Failure::Syntax)?;
        replace(&mut rules, &fields)?;
    } else {
        rules = arguments.text.parse().map_err(Failure::because)?;
    }
    // A komi that a client agreed on is not replaced by what comes with the name of rules.
    if arguments.text.contains("komi") {
        session.settings.komi = rules.komi;
    }
    session.change_rules(rules)?;
    done()
}

/// One field of the rules.
pub(crate) fn set_one(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let key = arguments.word(0)?;
    let word = arguments.word(1)?;
    let value = match word.parse::<bool>() {
        Ok(switch) => Value::Bool(switch),
        Err(_) => Value::String(word.to_owned()),
    };
    let mut fields = Map::new();
    // Who scores territory leaves points in seki out, and who scores area does not.
    if key == "scoring" {
        let tax = match word.to_ascii_uppercase().as_str() {
            "TERRITORY" => "SEKI",
            _ => "NONE",
        };
        fields.insert("tax".to_owned(), Value::from(tax));
    }
    fields.insert(key.to_owned(), value);
    let mut rules = session.settings.rules;
    replace(&mut rules, &fields)?;
    session.change_rules(rules)?;
    done()
}

/// Replaces what the fields name.
fn replace(rules: &mut Rules, fields: &Map<String, Value>) -> Result<(), Failure> {
    let mut tax = None;
    for (key, value) in fields {
        let refuse = || Failure::because(format_args!("`{key}` cannot be {value}"));
        let word = value.as_str().map(str::to_ascii_uppercase);
        let word = word.as_deref().unwrap_or_default();
        match key.as_str() {
            "ko" => {
                rules.ko = match word {
                    "SIMPLE" => Ko::Simple,
                    "POSITIONAL" => Ko::Positional,
                    "SITUATIONAL" => Ko::Situational,
                    _ => return Err(refuse()),
                };
            }
            "scoring" => {
                rules.scoring = match word {
                    "AREA" => Scoring::Area,
                    "AREAPRISONERS" => Scoring::AreaAndPrisoners,
                    "TERRITORY" => Scoring::Territory,
                    _ => return Err(refuse()),
                };
                // Territory cannot be counted without agreement on what is dead.
                if rules.scoring == Scoring::Territory && !fields.contains_key("friendlyPassOk") {
                    rules.dead_stones = DeadStones::Agreed;
                }
            }
            "tax" => tax = Some(word.to_owned()),
            "suicide" => {
                rules.suicide = match value.as_bool().ok_or_else(refuse)? {
                    false => Suicide::Forbidden,
                    true => Suicide::MultiStone,
                };
            }
            "whiteHandicapBonus" => {
                rules.compensation = match word {
                    "0" => Compensation::None,
                    "N" => Compensation::PerStone,
                    "N-1" => Compensation::PerStoneButFirst,
                    _ => return Err(refuse()),
                };
            }
            "komi" => {
                let komi = value.to_string().parse::<Komi>();
                rules.komi = Some(komi.map_err(|_| refuse())?);
            }
            "hasButton" => match value.as_bool() {
                Some(false) => {}
                _ => return Err(refuse()),
            },
            "friendlyPassOk" => {
                rules.dead_stones = match value.as_bool().ok_or_else(refuse)? {
                    true => DeadStones::Agreed,
                    false => DeadStones::Captured,
                };
            }
            _ => return Err(Failure::because(format_args!("unknown rule `{key}`"))),
        }
    }
    // No rules of KataGo allow the suicide of a single stone, which only positional superko forbids everywhere.
    if rules.suicide == Suicide::Allowed {
        rules.suicide = Suicide::MultiStone;
    }
    let expected = match rules.scoring {
        Scoring::Territory => "SEKI",
        Scoring::Area | Scoring::AreaAndPrisoners => "NONE",
    };
    match tax {
        Some(tax) if tax != expected => Err(Failure::because(format_args!(
            "with this scoring `tax` is {expected}"
        ))),
        _ => Ok(()),
    }
}
