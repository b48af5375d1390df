//! Programs that are spoken to in GTP, as `tengen match` does it.

use std::time::{Duration, Instant};

use tengen_gtp::client::{Client, ClientError};
use tengen_search::Stop;

/// Longer than any answer takes on a busy machine.
const ANSWER_WITHIN: Duration = Duration::from_secs(60);

fn dummy(arguments: &str) -> Client {
    start(&format!(
        "'{}' dummy {arguments}",
        env!("CARGO_BIN_EXE_tengen")
    ))
}

/// Waits for something that nobody tells of.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < ANSWER_WITHIN, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn start(command: &str) -> Client {
    let line = command.parse().expect("a command line");
    Client::start(&line, &Stop::new()).expect("the program starts")
}

#[test]
fn commands_are_answered_and_written_down() {
    let mut client = dummy("--name 'A B' --seed 4");
    assert_eq!(client.send("name", ANSWER_WITHIN).unwrap(), "A B");
    assert!(!client.knows("genmove"));
    client.learn_commands(ANSWER_WITHIN).unwrap();
    assert!(client.knows("genmove") && !client.knows("final_status_list"));
    let refused = client.send("boardsize 99", ANSWER_WITHIN).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "it refused `boardsize 99`: unacceptable size"
    );
    assert!(!refused.is_fatal() && client.is_usable());
    let text = client.transcript().to_string();
    assert!(
        text.starts_with("> name\n< = A B\n< \n> list_commands\n"),
        "{text}"
    );
    client.forget();
    client.note("well");
    assert_eq!(client.transcript().to_string(), "# well\n");
    client.quit(ANSWER_WITHIN);
}

#[test]
fn each_way_to_fail_has_its_name() {
    let fail = |act: &str, patience| {
        let mut client = dummy(&format!("--act {act}@1"));
        let error = client.send("genmove b", patience).unwrap_err();
        assert_eq!(client.is_usable(), !error.is_fatal());
        (error, client)
    };
    let (error, mut client) = fail("crash", ANSWER_WITHIN);
    assert!(
        matches!(&error, ClientError::Gone { status: Some(status), .. } if status.contains('3')),
        "{error}"
    );
    let error = client.send("name", ANSWER_WITHIN).unwrap_err();
    assert!(matches!(error, ClientError::Gone { .. }), "{error}");

    let (error, client) = fail("stall", Duration::from_millis(300));
    assert_eq!(
        error.to_string(),
        "it did not answer `genmove b` within 0.3 s"
    );
    let text = client.transcript().to_string();
    assert!(
        text.ends_with("# it did not answer `genmove b` within 0.3 s\n"),
        "{text}"
    );

    let (error, _) = fail("garbage", ANSWER_WITHIN);
    assert_eq!(
        error.to_string(),
        "it answered `genmove b` with `what?`, which is no GTP"
    );
    let (error, _) = fail("refuse", ANSWER_WITHIN);
    assert!(matches!(error, ClientError::Refused { .. }), "{error}");

    let nothing = Client::start(&"no-such-program gtp".parse().unwrap(), &Stop::new());
    let error = nothing.unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no-such-program cannot be started: "),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_switch_ends_the_waiting() {
    let stop = Stop::new();
    let heard = std::env::temp_dir().join(format!("tengen-heard-{}", std::process::id()));
    // It says that it has heard the second command, and does not answer.
    let script = "read line; echo \"= x\"; echo; read line; touch \"$0\"; cat >/dev/null";
    let command = format!("sh -c '{script}' '{}'", heard.display());
    let mut client = Client::start(&command.parse().unwrap(), &stop).unwrap();
    client.send("name", ANSWER_WITHIN).unwrap();
    let switch = stop.clone();
    let sign = heard.clone();
    let thread = std::thread::spawn(move || {
        wait_until("the program hears the command", || sign.exists());
        switch.stop();
    });
    let error = client.send("genmove b", Duration::MAX).unwrap_err();
    assert!(matches!(error, ClientError::Interrupted), "{error}");
    thread.join().unwrap();
    std::fs::remove_file(heard).unwrap();
}

#[test]
fn what_a_program_writes_aside_is_kept_and_not_taken_for_an_answer() {
    let mut client = dummy("--act crash@2");
    client.send("genmove b", ANSWER_WITHIN).unwrap();
    client.send("genmove b", ANSWER_WITHIN).unwrap_err();
    // The line may arrive a moment later than the end of the program is noticed.
    wait_until("its last words arrive", || {
        let text = client.transcript().to_string();
        text.contains("! crashed on purpose\n")
    });
}

/// What a program has started ends with it, even if it is not waited for.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_behind() {
    let mut client = start("sh -c 'sleep 1000 & echo \"= $!\"; echo; cat >/dev/null'");
    let child = client.send("name", ANSWER_WITHIN).unwrap();
    let stat = format!("/proc/{child}/stat");
    let runs = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    assert!(runs());
    drop(client);
    wait_until("the process has ended", || !runs());
}

#[cfg(target_os = "linux")]
#[test]
fn the_system_knows_the_time_of_a_program_that_does_not() {
    let mut client = dummy("");
    client.learn_commands(ANSWER_WITHIN).unwrap();
    let before = client.cpu_time(ANSWER_WITHIN).expect("Linux tells");
    // The system counts in steps, so that it takes some work to see anything.
    let started = Instant::now();
    let mut after = before;
    while after <= before && started.elapsed() < ANSWER_WITHIN {
        for _ in 0..500 {
            client.send("genmove b", ANSWER_WITHIN).unwrap();
            client.send("clear_board", ANSWER_WITHIN).unwrap();
        }
        after = client.cpu_time(ANSWER_WITHIN).expect("Linux tells");
    }
    assert!(after > before, "{before:?} {after:?}");
}
