//! What the command does, without the command: arguments to values, a web that runs until it is told to stop, a verdict asked over HTTP.
//!
//! In: words. Out: lines, and whether the crawler is innocent. The Python command uses the same functions.

use std::fmt;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::server::{Listen, Running, promises_to_query};
use crate::settings::{Promises, WebSettings};

pub const USAGE: &str = "\
helios-sim serve [--preset demo|default|calm|fast] [--settings FILE.json] [--seed N] [--hosts N]
                 [--http-port N] [--https-port N] [--dns-port N] [--ca-file FILE]
helios-sim audit --at 127.0.0.1:PORT [--json] [--site-delay-ms N] [--complete] ... (any promise)
";

/// What to do.
#[derive(Debug)]
pub enum Command {
    Serve { settings: Box<WebSettings>, listen: Listen, ca_file: Option<PathBuf> },
    Audit { at: String, promises: Promises, json: bool },
}

/// The words after the name of the program. Settings and promises are given as `--field-name value`; a flag without value is `true`.
pub fn parse(words: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut words = words.peekable();
    let name = words.next().ok_or(USAGE)?;
    let mut options: Map<String, Value> = Map::new();
    while let Some(word) = words.next() {
        let key = word.strip_prefix("--").ok_or_else(|| format!("{word:?} is no option\n{USAGE}"))?;
        let value = words.next_if(|next| !next.starts_with("--")).unwrap_or_else(|| "true".to_owned());
        let literal = matches!(key, "robots-token" | "at" | "settings" | "preset" | "ca-file");
        let parsed = if literal { None } else { serde_json::from_str(&value).ok() };
        options.insert(key.replace('-', "_"), parsed.unwrap_or(Value::String(value)));
    }
    match name.as_str() {
        "serve" => parse_serve(options),
        "audit" => parse_audit(options),
        other => Err(format!("{other:?} is no command\n{USAGE}")),
    }
}

fn text(options: &mut Map<String, Value>, key: &str) -> Option<String> {
    options.remove(key).and_then(|value| value.as_str().map(str::to_owned))
}

fn parse_serve(mut options: Map<String, Value>) -> Result<Command, String> {
    let ca_file = text(&mut options, "ca_file").map(PathBuf::from);
    let name = text(&mut options, "preset").unwrap_or_else(|| "default".to_owned());
    let base = match text(&mut options, "settings") {
        Some(file) => {
            let bytes = std::fs::read(&file).map_err(|error| format!("{file}: {error}"))?;
            serde_json::from_slice(&bytes).map_err(|error| format!("{file}: {error}"))?
        }
        None => preset(&name)?,
    };
    let mut listen = Map::new();
    for port in ["http_port", "https_port", "dns_port"] {
        listen.extend(options.remove(port).map(|value| (port.to_owned(), value)));
    }
    let listen = serde_json::from_value(Value::Object(listen)).map_err(|error| format!("a port: {error}"))?;
    let settings = overridden(base, options).map_err(|why| format!("{why}\n{USAGE}"))?;
    Ok(Command::Serve { settings: Box::new(settings), listen, ca_file })
}

/// The settings with some fields replaced.
pub fn overridden(base: WebSettings, fields: Map<String, Value>) -> Result<WebSettings, String> {
    let mut merged = serde_json::to_value(base).map_err(|error| error.to_string())?;
    if let Value::Object(all) = &mut merged {
        all.extend(fields);
    }
    serde_json::from_value(merged).map_err(|error| format!("settings: {error}"))
}

/// A ready-made web by its name.
pub fn preset(name: &str) -> Result<WebSettings, String> {
    match name {
        "default" => Ok(WebSettings::default()),
        "demo" => Ok(WebSettings::demo()),
        "calm" => Ok(WebSettings::calm()),
        "fast" => Ok(WebSettings::fast()),
        other => Err(format!("there is no preset {other:?}: default, demo, calm or fast")),
    }
}

fn parse_audit(mut options: Map<String, Value>) -> Result<Command, String> {
    let at = text(&mut options, "at").ok_or_else(|| format!("--at is missing\n{USAGE}"))?;
    let json = options.remove("json").is_some_and(|value| value == Value::Bool(true));
    let promises = serde_json::from_value(Value::Object(options))
        .map_err(|error| format!("promises: {error}\n{USAGE}"))?;
    Ok(Command::Audit { at, promises, json })
}

/// One line of JSON for programs, then lines for people.
pub fn ready_text(running: &Running) -> String {
    let ports = running.ports();
    let line = json!({
        "http_port": ports.http,
        "https_port": ports.https,
        "dns_port": ports.dns,
        "all_addresses": ports.all_addresses,
        "hosts": running.web().host_count(),
    });
    let note = if ports.all_addresses {
        ""
    } else {
        "only 127.0.0.1 is served: this system cannot tie a socket to the loopback device\n"
    };
    let (http, https, dns) = (ports.http, ports.https, ports.dns);
    format!(
        "{line}\nweb    http://127.0.0.1:{http}/ shows its pages; https on port {https}\n\
         names  dig @127.0.0.1 -p {dns} NAME.test\n\
         seeds  http://127.0.0.1:{http}/__seeds\n\
         audit  http://127.0.0.1:{http}/__audit\n{note}"
    )
}

/// A verdict that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub innocent: bool,
    /// The table, or the JSON.
    pub text: String,
}

/// Why no verdict came.
#[derive(Debug)]
pub struct NoVerdict(String);

impl fmt::Display for NoVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoVerdict {}

/// Asks a running web for its verdict; `at` is `127.0.0.1:PORT`.
pub fn audit_text(at: &str, promises: &Promises, json: bool) -> Result<Verdict, NoVerdict> {
    let format = if json { "json" } else { "text" };
    let path = format!("/__audit?format={format}&{}", promises_to_query(promises));
    let (status, text) =
        get(at, &path).map_err(|error| NoVerdict(format!("no web answers at {at}: {error}")))?;
    if status != 200 {
        return Err(NoVerdict(format!("{at} answers with status {status}: {text}")));
    }
    let innocent = if json {
        let report: Option<Value> = serde_json::from_str(&text).ok();
        report.is_some_and(|report| report.get("innocent") == Some(&Value::Bool(true)))
    } else {
        text.starts_with("INNOCENT")
    };
    Ok(Verdict { innocent, text })
}

fn get(at: &str, path: &str) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(at)?;
    // HTTP/1.0: the answer ends with the connection.
    write!(stream, "GET {path} HTTP/1.0\r\nhost: 127.0.0.1\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    Ok((status, body.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Command, String> {
        parse(line.split(' ').map(str::to_owned))
    }

    #[test]
    fn house_options_are_fields() {
        let Ok(Command::Audit { at, promises, json }) =
            words("audit --at 127.0.0.1:8 --site-delay-ms 20 --complete --json --robots-token 7")
        else {
            panic!("not an audit");
        };
        assert_eq!((at.as_str(), json), ("127.0.0.1:8", true));
        assert_eq!(
            (promises.site_delay_ms, promises.complete, promises.robots_token.as_str()),
            (20, true, "7")
        );
        let Ok(Command::Serve { settings, listen, .. }) = words("serve --seed 9 --dns-port 5300") else {
            panic!("not a serve");
        };
        assert_eq!((settings.seed, listen.dns_port, listen.http_port), (9, 5_300, 0));
    }

    #[test]
    fn house_what_is_unknown_is_an_error() {
        for line in ["", "fly", "audit", "audit --at x --speed 3", "serve --colour red", "serve fast"] {
            assert!(words(line).is_err(), "{line}");
        }
    }
}
