//! The program in cargo-lambda's emulator of Lambda, started with `make watch` and called with `make invoke`.
//!
//! A script replaces Cargo and runs the program that the tests have built, because another build would take minutes.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// How long a start or a stop may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// `make watch` with its own port and folder. Everything that it started ends with it.
struct Watch {
    make: Child,
    port: u16,
    folder: PathBuf,
}

impl Watch {
    fn start(test: &str) -> Watch {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("watch-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let log = fs::File::create(folder.join("log")).expect("a file");
        let make = make()
            .args(["watch", &format!("PORT={port}")])
            .env("CARGO", cargo(&folder))
            .envs([("AUTH", "dev"), ("CONFIRM_POLICY", "always"), ("DEFAULT_CURRENCY", "GBP")])
            .env("LOCAL_DATA", folder.join("sayso.db"))
            .stdout(log.try_clone().expect("a file"))
            .stderr(log)
            .process_group(0)
            .spawn()
            .expect("make starts");
        let watch = Watch { make, port, folder };
        watch.until("it listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        watch
    }

    /// Polls a condition: a test gets no signal when the emulator is ready or gone.
    fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_so() {
            let log = || fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(start.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}\n{}", log());
            std::thread::park_timeout(Duration::from_millis(20));
        }
    }

    /// The body of the reply to a sample event.
    fn invoke(&self, event: &str) -> Value {
        let event = format!("EVENT=events/{event}.json");
        let Output { status, stdout, stderr } =
            make().args(["invoke", &event, &format!("PORT={}", self.port)]).output().expect("make runs");
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        let reply: Value = serde_json::from_slice(&stdout).expect("JSON");
        assert_eq!(reply["statusCode"], 200, "{event}: {reply}");
        serde_json::from_str(reply["body"].as_str().expect("a body")).expect("JSON")
    }

    /// The answer to a message over plain HTTP.
    fn says(&self, message: &str) -> String {
        let body = json!({ "message": message }).to_string();
        let head = "POST /chat HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json";
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
            .write_all(format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).as_bytes())
            .expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("it answers");
        let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("HTTP/1.1 200 "), "{reply}");
        let body: Value = serde_json::from_str(body).expect("JSON");
        body["answer"].as_str().expect("an answer").to_owned()
    }

    /// The processes of the program, including the database's.
    fn programs(&self) -> Vec<PathBuf> {
        let started = fs::read_to_string(self.folder.join("started")).unwrap_or_default();
        let processes = started.lines().map(|id| Path::new("/proc").join(id));
        processes.filter(|process| fs::read_link(process.join("exe")).is_ok()).collect()
    }

    /// Sends the signal of Ctrl-C to the whole process group.
    fn interrupt(&self) {
        let group = format!("-{}", self.make.id());
        let sent = Command::new("kill").args(["-INT", "--", &group]).status().expect("kill runs");
        assert!(sent.success());
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let group = format!("-{}", self.make.id());
        // Each process may have ended already. The processes of the group end those that they started outside of it.
        let _ = Command::new("kill").args(["-TERM", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.make.wait();
        for process in self.programs() {
            let id = process.file_name().expect("a process");
            let _ = Command::new("kill").arg("-KILL").arg(id).stderr(Stdio::null()).status();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A script that runs the program for `cargo run` with the development features and records its process. Everything
/// else goes to Cargo.
fn cargo(folder: &Path) -> PathBuf {
    let script = format!(
        "#!/bin/sh\n\
         case \"$*\" in\n\
         'run --quiet --features local -- dynamodb') set -- dynamodb ;;\n\
         'run '*'--features local'*) set -- ;;\n\
         *) exec '{cargo}' \"$@\" ;;\n\
         esac\n\
         echo $$ >> '{folder}/started'\n\
         exec '{program}' \"$@\"\n",
        cargo = env!("CARGO"),
        folder = folder.display(),
        program = env!("CARGO_BIN_EXE_sayso"),
    );
    let path = folder.join("cargo");
    fs::write(&path, script).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    path
}

fn make() -> Command {
    let mut make = Command::new("make");
    // Without the flags of a `make test` around it.
    make.arg("--no-print-directory").current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("MAKEFLAGS");
    make
}

#[test]
#[ignore = "it needs cargo-lambda: `make release-test`"]
fn the_sample_events_and_plain_http_are_one_conversation() {
    let watch = Watch::start("conversation");
    assert_eq!(watch.invoke("clarify")["answer"], "What did you buy, and how much was it?");
    let shown = watch.invoke("add");
    assert_eq!(shown["confirmationRequired"], true);
    assert_eq!(shown["proposal"]["totals"], json!([{ "currency": "GBP", "amount": "15.50", "count": 2 }]));
    let done = watch.invoke("confirm");
    assert_eq!(done["receipt"]["proposalId"], shown["proposal"]["id"]);
    let items = |rows: &Value| {
        let rows = rows.as_array().expect("rows").iter();
        rows.map(|row| (row["item"].clone(), row["money"]["amount"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(items(&done["added"]), [(json!("coffee"), json!("3.50")), (json!("lunch"), json!("12.00"))]);
    assert_eq!(items(&watch.invoke("list")["items"]).len(), 2);

    let shown = watch.says("delete the coffee");
    assert!(shown.starts_with("Delete #1 “coffee”, £3.50, ") && shown.ends_with("? (yes / no)"), "{shown}");
    watch.says("yes");
    assert_eq!(watch.says("how much did I spend?"), "You spent £12.00 in total: 1 expense.");
    assert_eq!(watch.invoke("balance")["answer"], "You spent £12.00 in total: 1 expense.");
}

#[test]
#[ignore = "it needs cargo-lambda: `make release-test`"]
fn ctrl_c_ends_the_emulator_the_program_and_the_database() {
    let watch = Watch::start("ctrl-c");
    watch.says("coffee 3.50");
    assert_eq!(watch.programs().len(), 2);
    watch.interrupt();
    watch.until("its programs end", || watch.programs().is_empty());
    watch.until("the port is free", || TcpListener::bind(("127.0.0.1", watch.port)).is_ok());
}

#[test]
#[ignore = "it needs cargo-lambda: `make release-test`"]
fn wrong_arguments_of_make_are_named_with_what_to_set() {
    let cases = [
        (
            ["invoke", "EVENT=events/nothing.json"],
            "EVENT=events/nothing.json is no file; set it to one of events/add.json",
        ),
        (["build", "ARCH=mips"], "ARCH=mips is nothing that Lambda runs on; set it to arm64, x86_64 or both"),
    ];
    for (arguments, message) in cases {
        let Output { status, stderr, .. } = make().args(arguments).output().expect("make runs");
        let stderr = String::from_utf8(stderr).expect("UTF-8");
        assert_eq!((status.code(), stderr.contains(message)), (Some(2), true), "{stderr}");
    }
}
