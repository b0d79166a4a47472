//! The synthetic web as a command: `serve` it, or ask a running one for its verdict (0 innocent, 1 convicted, 2 could not ask).

use std::io::Write as _;
use std::process::ExitCode;

use helios_sim::command::{self, Command};
use helios_sim::server;

fn main() -> ExitCode {
    let outcome = command::parse(std::env::args().skip(1)).and_then(|command| match command {
        Command::Serve { settings, listen, ca_file } => {
            let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
            runtime.block_on(async {
                let running = server::serve(*settings, &listen).await.map_err(|error| error.to_string())?;
                if let Some(file) = ca_file {
                    running.write_ca(&file).map_err(|error| format!("{}: {error}", file.display()))?;
                }
                say(&command::ready_text(&running));
                tokio::signal::ctrl_c().await.map_err(|error| error.to_string())?;
                running.stop().await;
                Ok(ExitCode::SUCCESS)
            })
        }
        Command::Audit { at, promises, json } => {
            let verdict = command::audit_text(&at, &promises, json).map_err(|error| error.to_string())?;
            say(&verdict.text);
            Ok(ExitCode::from(u8::from(!verdict.innocent)))
        }
    });
    outcome.unwrap_or_else(|why| {
        // Nothing can be done if even this cannot be said.
        _ = writeln!(std::io::stderr(), "{why}");
        ExitCode::from(2)
    })
}

/// A reader that has left is no error of ours.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
