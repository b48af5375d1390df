//! The end, when somebody asks for it.

/// Returns when the program is to end: on Ctrl-C, or when the system says so. A second Ctrl-C ends it at once.
pub(crate) async fn interrupted() {
    first().await;
    tokio::spawn(async {
        first().await;
        // What is being saved is there as a whole or not at all.
        std::process::exit(130);
    });
}

#[cfg(unix)]
async fn first() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signals) => _ = signals.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        () = ctrl_c() => {}
        () = terminated => {}
    }
}

#[cfg(not(unix))]
async fn first() {
    ctrl_c().await;
}

/// Returns on Ctrl-C; never, if the system does not tell us.
async fn ctrl_c() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
