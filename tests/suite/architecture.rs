//! The invariants of the source: which modules may name which others, and what the core does not use. Each violation is
//! reported with file and line. Each rule is also tested with sources that break it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// A file of `src`, with its path from the root of the repository.
struct File {
    path: String,
    text: String,
}

#[derive(Debug, Clone, PartialEq)]
struct Token {
    line: usize,
    text: String,
}

type Rule = fn(&[File]) -> Vec<String>;

const RULES: [(&str, Rule); 13] = [
    ("the AWS SDK is named by the definition of the table and by local only", the_sdk_is_for_development),
    ("requests leave through outbound only", requests_leave_through_outbound),
    ("web crates are named by http, outbound and local only", web_stays_at_the_edge),
    ("the core never names a toolkit", the_core_names_no_toolkit),
    ("toolkits never name each other", toolkits_never_meet),
    ("clocks are read in app, and by what waits for others", clocks_enter_in_app),
    ("the environment is read in config only", the_environment_enters_in_config),
    ("randomness enters in app, and for TLS in outbound/crypto", randomness_enters_in_app),
    ("proposal is pure", proposal_is_pure),
    ("modules are `foo.rs` and `foo/`, and open with what they are", modules_are_files_that_say_what_they_are),
    ("nothing is re-exported by a glob", no_glob_is_re_exported),
    ("the language rules keep their words in data", words_are_data),
    ("a function fits a screen, or its comment says why it does not", functions_fit_a_screen),
];

/// The language rules. They are rebuilt as a whole; until then neither their imports nor their lengths are checked.
const LANGUAGE: [&str; 4] = ["src/phrases.rs", "src/phrases/", "src/model/offline.rs", "src/model/offline/"];

/// Lines of a function, its signature included.
const SCREEN: usize = 60;

/// Each rule, with a source that breaks it and the lines that break it.
const BROKEN: [(Rule, &str, &str, &[usize]); 21] = [
    (the_sdk_is_for_development, "src/store/records.rs", "\nuse aws_sdk_dynamodb::Client;", &[2]),
    (the_sdk_is_for_development, "src/http.rs", "fn f() {\n    aws_config::load()\n}", &[2]),
    (requests_leave_through_outbound, "src/model/client.rs", "use reqwest::Client;", &[1]),
    (requests_leave_through_outbound, "src/aws.rs", "fn f() { hyper_util::client::legacy::Client::new() }", &[1]),
    (web_stays_at_the_edge, "src/agent.rs", "use std::{\n    fmt,\n};\nuse axum::{\n    http::StatusCode};", &[5]),
    (web_stays_at_the_edge, "src/tool.rs", "use http::StatusCode;", &[1]),
    (the_core_names_no_toolkit, "src/store.rs", "use crate::{\n    agent,\n    expenses::{self, KIND},\n};", &[3, 3]),
    (the_core_names_no_toolkit, "src/agent/prompt.rs", "fn f() { super::super::expenses::toolkit() }", &[1]),
    (the_core_names_no_toolkit, "src/tool.rs", "\n\nuse super::expenses::Expense;", &[3]),
    (toolkits_never_meet, "src/todos/add.rs", "use crate::expenses::KIND;", &[1]),
    (clocks_enter_in_app, "src/agent.rs", "// Timestamp::now\nlet now = jiff::Timestamp::now();", &[2]),
    (clocks_enter_in_app, "src/proposal.rs", "use std::time::{Duration, SystemTime};", &[1]),
    (the_environment_enters_in_config, "src/app.rs", "use std::{env, fmt};", &[1]),
    (the_environment_enters_in_config, "src/main.rs", "std::env::args();\nstd::env::var(\"x\");", &[2]),
    (randomness_enters_in_app, "src/store.rs", "let n = getrandom::u64();", &[1]),
    (proposal_is_pure, "src/proposal/machine.rs", "async fn f() {}\nuse crate::store::Store;", &[1, 2]),
    (proposal_is_pure, "src/proposal/record.rs", "use std::{collections::BTreeMap,\nfs};", &[2]),
    (modules_are_files_that_say_what_they_are, "src/agent/mod.rs", "use super::Agent;", &[1, 1]),
    (functions_fit_a_screen, "src/tool.rs", LONG_FUNCTION, &[2]),
    (
        words_are_data,
        "src/phrases/days.rs",
        "const KEYS: [&str; 1] = [\"words\"];\nlet a = [\"foo\", \"bar\"];\nmatch b {\n\"either\" | \"or\" => f(\"x\", \"y\"),\n\"yes\" | \"no\" => c,",
        &[2, 4],
    ),
    (no_glob_is_re_exported, "src/money.rs", "use super::*;\npub use amounts::*;\npub(crate) use x::{y::*};", &[2, 3]),
];

const LONG_FUNCTION: &str = concat!(
    "/// Too much at once.\nfn f() {",
    "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
    "}\n\nfn g() {}\n"
);

#[test]
fn the_source_keeps_its_rules() {
    let source = source();
    assert!(source.len() > 30, "only {} files found", source.len());
    for (rule, check) in RULES {
        let violations = check(&source);
        assert!(violations.is_empty(), "{rule}, but:\n{}", violations.join("\n"));
    }
}

#[test]
fn every_rule_reports_sources_that_break_it() {
    for (check, path, text, lines) in BROKEN {
        let app = "fn toolkits() -> [Toolkit; 2] {\n    [expenses::toolkit(), todos::toolkit()]\n}";
        let files = [file("src/app.rs", if path == "src/app.rs" { text } else { app }), file(path, text)];
        let found: Vec<String> = check(&files[1..])
            .into_iter()
            .chain(check(&files).into_iter().filter(|found| found.starts_with(path)))
            .collect();
        for line in lines {
            let place = format!("{path}:{line}: ");
            assert!(found.iter().any(|found| found.starts_with(&place)), "{path} {text:?}: {found:?}");
        }
        let named = |found: &String| lines.iter().any(|line| found.starts_with(&format!("{path}:{line}: ")));
        assert!(found.iter().all(named), "{path} {text:?}: {found:?}");
    }
    for (rule, check) in RULES {
        assert!(BROKEN.iter().any(|(broken, ..)| std::ptr::fn_addr_eq(*broken, check)), "{rule}");
    }
}

/// Amounts, numbers and days are read with each other: "20 May" is a day, and "20 in May" has a price. This circle may
/// only become smaller.
const READERS_IN_A_CIRCLE: usize = 20;

#[test]
fn no_files_import_each_other_in_a_circle() {
    let is_of_readers = |circle: &String| {
        let files: Vec<&str> = circle.split(", ").collect();
        files.len() <= READERS_IN_A_CIRCLE && files.iter().all(|file| file.starts_with("src/phrases/"))
    };
    let circles = circles(&source());
    let (readers, others): (Vec<_>, Vec<_>) = circles.into_iter().partition(is_of_readers);
    assert!(others.is_empty(), "these files import each other in a circle:\n{}", others.join("\n"));
    assert!(readers.len() < 2, "these files import each other in circles:\n{}", readers.join("\n"));
}

#[test]
fn a_circle_of_imports_is_noticed_also_through_re_exports() {
    let files = [
        file("src/agent.rs", "pub use one::One;\nmod one;\nmod two;\nmod three;\npub struct Agent;"),
        file("src/agent/one.rs", "use super::two::Two;\npub struct One;"),
        file("src/agent/two.rs", "use super::{Agent, three};\npub struct Two;"),
        file("src/agent/three.rs", "fn f() { crate::agent::One }\n#[cfg(test)]\nmod tests { use crate::http::Http; }"),
        file("src/http.rs", "use crate::agent::Agent;\npub struct Http;"),
    ];
    assert_eq!(circles(&files), ["src/agent/one.rs, src/agent/three.rs, src/agent/two.rs"]);
    assert_eq!(circles(&files[..3]), [""; 0]);
}

#[test]
fn architecture_md_stays_short() {
    let lines = read("ARCHITECTURE.md").lines().count();
    assert!(lines <= 150, "ARCHITECTURE.md has {lines} lines, at most 150");
}

/// The toolkits that `app` registers.
fn toolkits(files: &[File]) -> Vec<String> {
    let app = files.iter().filter(|file| file.path == "src/app.rs").flat_map(paths);
    let toolkits = app.filter_map(|path| path.text.strip_suffix("::toolkit").map(str::to_owned));
    let mut toolkits: Vec<String> =
        toolkits.map(|path| path.rsplit("::").next().unwrap_or_default().to_owned()).collect();
    if toolkits.is_empty() {
        toolkits.push("expenses".into());
    }
    toolkits
}

fn the_sdk_is_for_development(files: &[File]) -> Vec<String> {
    let others = files.iter().filter(|file| file.path != "src/store/table.rs" && module(file) != "local");
    others.flat_map(|file| uses(file, |path| root_of(path).starts_with("aws_"))).collect()
}

fn requests_leave_through_outbound(files: &[File]) -> Vec<String> {
    const CLIENTS: [&str; 5] = ["hyper", "hyper_util", "hyper_rustls", "rustls", "reqwest"];
    named(files, &["outbound"], |path| CLIENTS.contains(&root_of(path)))
}

fn web_stays_at_the_edge(files: &[File]) -> Vec<String> {
    const WEB: [&str; 6] = ["axum", "http_body", "http_body_util", "hyper", "tower", "lambda_runtime"];
    let named = named(files, &["http", "outbound", "local", "main"], |path| WEB.contains(&root_of(path)));
    // `http` is also a module of this crate, which others may name.
    let others = files.iter().filter(|file| !["http", "outbound", "local", "main"].contains(&module(file)));
    let imported = others.flat_map(|file| {
        let paths = paths(file).into_iter().filter(|path| root_of(&path.text) == "http");
        paths.map(|path| violation(file, path.line, &path.text)).collect::<Vec<_>>()
    });
    named.into_iter().chain(imported).collect()
}

fn the_core_names_no_toolkit(files: &[File]) -> Vec<String> {
    let core = ["agent", "tool", "proposal", "store", "model", "money", "phrases", "identity", "config"];
    let toolkits = toolkits(files);
    let core = files.iter().filter(|file| core.contains(&module(file)));
    core.flat_map(|file| uses(file, |path| toolkits.iter().any(|toolkit| is_in(path, toolkit)))).collect()
}

fn toolkits_never_meet(files: &[File]) -> Vec<String> {
    let toolkits = toolkits(files);
    let own = files.iter().filter(|file| toolkits.iter().any(|toolkit| toolkit == module(file)));
    let others = |file: &File| toolkits.iter().filter(|toolkit| *toolkit != module(file)).cloned().collect::<Vec<_>>();
    own.flat_map(|file| uses(file, |path| others(file).iter().any(|other| is_in(path, other)))).collect()
}

fn clocks_enter_in_app(files: &[File]) -> Vec<String> {
    let named = named(files, &["app", "secrets"], |path| {
        path.contains("SystemTime")
            || ["Timestamp::now", "Instant::now", "Zoned::now"].iter().any(|clock| path.ends_with(clock))
    });
    const WAITING: [&str; 3] = ["src/aws.rs:", "src/model/client", "src/agent/rate_limit.rs:"];
    let others =
        |found: &String| !found.contains("/tests.rs:") && !WAITING.iter().any(|waiting| found.starts_with(waiting));
    named.into_iter().filter(others).collect()
}

fn the_environment_enters_in_config(files: &[File]) -> Vec<String> {
    named(files, &["config"], |path| {
        let read = path == "std::env" || path.starts_with("std::env::");
        read && path != "std::env::args"
    })
}

fn randomness_enters_in_app(files: &[File]) -> Vec<String> {
    let named = named(files, &["app"], |path| ["getrandom", "rand", "fastrand", "uuid"].contains(&root_of(path)));
    named.into_iter().filter(|found| !found.starts_with("src/outbound/crypto.rs:")).collect()
}

fn proposal_is_pure(files: &[File]) -> Vec<String> {
    // Sharing constant data is not an effect.
    const EFFECTS: [&str; 7] =
        ["std::fs", "std::io", "std::net", "std::process", "std::thread", "std::time", "std::sync"];
    let own = files.iter().filter(|file| module(file) == "proposal");
    own.flat_map(|file| {
        let waits = tokens(&file.text).into_iter().filter(|token| ["async", "await"].contains(&token.text.as_str()));
        let waits = waits.map(|token| violation(file, token.line, &token.text));
        let reaches = uses(file, |path| {
            let inside = path.strip_prefix("crate::").map(root_of);
            inside.is_some_and(|module| !["proposal", "identity", "sorted"].contains(&module))
                || (path != "std::sync::Arc" && EFFECTS.iter().any(|effect| path.starts_with(effect)))
                || ["tokio", "futures_util", "tracing", "reqwest"].contains(&root_of(path))
        });
        waits.chain(reaches).collect::<Vec<_>>()
    })
    .collect()
}

fn modules_are_files_that_say_what_they_are(files: &[File]) -> Vec<String> {
    let old = files.iter().filter(|file| file.path.ends_with("/mod.rs"));
    let old = old.map(|file| violation(file, 1, "mod.rs; name the file after its module"));
    let silent = files.iter().filter(|file| !file.text.starts_with("//! "));
    old.chain(silent.map(|file| violation(file, 1, "no `//!` that says what the module is"))).collect()
}

fn no_glob_is_re_exported(files: &[File]) -> Vec<String> {
    files
        .iter()
        .flat_map(|file| {
            imports(file)
                .into_iter()
                .filter_map(|import| {
                    let glob = import.public && import.path.text.ends_with("::*");
                    glob.then(|| violation(file, import.path.line, &import.path.text))
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Lists in code name tools, their fields, or what sections of words say.
fn words_are_data(files: &[File]) -> Vec<String> {
    let specs = read("src/tool/registry/specs.json");
    let said = what_sections_say();
    let is_word = |text: &&str| {
        let is_said = said.contains(*text) || specs.contains(&format!("\"{text}\""));
        let is_code = text.chars().all(|letter| letter.is_uppercase()) || text.contains(['_', '.']);
        text.contains(char::is_alphabetic) && !is_said && !is_code
    };
    let only_tests = |file: &File| {
        let name = Path::new(&file.path).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        is_test(file) || files.iter().any(|parent| parent.text.contains(&format!("#[cfg(test)]\nmod {name};")))
    };
    let is_own = |file: &&File| is_language(file) && !file.path.ends_with("compile.rs");
    let own = files.iter().filter(is_own).filter(|file| !only_tests(file));
    own.flat_map(|file| {
        let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
        let lists = listed(code).into_iter();
        let words = lists.filter_map(|(at, list)| Some((at, *list.iter().find(|text| is_word(text))?)));
        words.map(|(at, word)| violation(file, code[..at].matches('\n').count() + 1, word)).collect::<Vec<_>>()
    })
    .collect()
}

/// `GBP` of `[currency: GBP]`, or of `GBP: pound`, in all files of words.
fn what_sections_say() -> BTreeSet<String> {
    let folders = ["src/phrases/lexicon", "src/phrases/yes_no", "src/model/offline"];
    let texts = folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).expect("a folder"));
    let texts = texts
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|it| it == "txt"));
    let texts = texts.map(|path| fs::read_to_string(path).expect("a text"));
    let says = |line: &str| match line.strip_prefix('[') {
        Some(name) => Some(name.strip_suffix(']')?.split_once(": ")?.1.to_owned()),
        None => Some(line.split_once(": ")?.0.to_owned()),
    };
    let all: BTreeSet<String> = texts.flat_map(|text| text.lines().filter_map(says).collect::<Vec<_>>()).collect();
    // "add" of "verb add"
    let verbs = all.iter().filter_map(|says| Some(says.strip_prefix("verb ")?.to_owned()));
    let verbs: Vec<String> = verbs.collect();
    all.into_iter().chain(verbs).collect()
}

/// The texts that stand in one array, or between the bars of one pattern, and where they begin.
fn listed(code: &str) -> Vec<(usize, Vec<&str>)> {
    let mut lists: Vec<(usize, Vec<&str>)> = Vec::new();
    let (mut behind, mut is_open) = (0, false);
    for (start, text) in literals(code) {
        let between = code[behind..start].trim();
        let opens = between.ends_with('[');
        let goes_on = between == "|" || is_open && between == ",";
        match lists.last_mut().filter(|_| goes_on) {
            Some((_, list)) => list.push(text),
            None => lists.push((start, vec![text])),
        }
        is_open = opens || goes_on && is_open;
        behind = start + text.len() + 2;
    }
    lists.retain(|(at, list)| list.len() > 1 || code[..*at].trim_end().ends_with(": &[&str] = &["));
    lists
}

/// The texts in quotation marks, and where they begin.
fn literals(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = code[at..].find(['"', '/', '\'']) {
        let start = at + next;
        let rest = &code[start..];
        at = start
            + if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if let Some(mark) = ["'\"'", "'\\''", "'\\\"'"].iter().find(|mark| rest.starts_with(**mark)) {
                mark.len()
            } else if let Some(text) = rest.strip_prefix('"') {
                let is_end =
                    |at: &usize| text[..*at].chars().rev().take_while(|letter| *letter == '\\').count() % 2 == 0;
                let end = text.match_indices('"').map(|(at, _)| at).find(is_end).unwrap_or(text.len());
                found.push((start, &text[..end]));
                end + 2
            } else {
                1
            };
    }
    found
}

/// A reason is a comment that begins a sentence with "Long".
fn functions_fit_a_screen(files: &[File]) -> Vec<String> {
    let own = files.iter().filter(|file| !is_language(file) && !is_test(file));
    own.flat_map(|file| {
        let lines: Vec<&str> = file.text.lines().collect();
        let long = functions(&lines).into_iter().filter(|(start, end)| {
            let comment = lines[..*start].iter().rev().take_while(|line| line.trim_start().starts_with("//"));
            end - start + 1 > SCREEN && !comment.into_iter().any(|line| line.contains(" Long"))
        });
        long.map(|(start, end)| violation(file, start + 1, &format!("{} lines", end - start + 1))).collect::<Vec<_>>()
    })
    .collect()
}

/// First and last line of each function, as `rustfmt` sets them: the closing brace stands under the `fn`.
fn functions(lines: &[&str]) -> Vec<(usize, usize)> {
    let is_function = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "fn");
        at.is_some_and(|at| words[..at].iter().all(|word| word.starts_with("pub") || ["const", "async"].contains(word)))
    };
    let starts = (0..lines.len()).filter(|at| is_function(lines[*at]) && !lines[*at].ends_with(['}', ';']));
    let end = |start: usize| {
        let indent = &lines[start][..lines[start].len() - lines[start].trim_start().len()];
        let (closing, declared) = (format!("{indent}}}"), format!("{indent})"));
        (start..lines.len())
            .find(|at| lines[*at] == closing || lines[*at].starts_with(&declared) && lines[*at].ends_with(';'))
    };
    starts.filter_map(|start| Some((start, end(start)?))).collect()
}

fn is_language(file: &File) -> bool {
    LANGUAGE.iter().any(|place| file.path.starts_with(place))
}

fn is_test(file: &File) -> bool {
    file.path.ends_with("tests.rs")
}

/// A file as its imports see it, without its tests.
struct Node {
    path: String,
    /// What it imports, and so may hand on.
    imports: Vec<String>,
    /// Every path that it names, its imports among them.
    names: Vec<String>,
}

/// Files that reach each other by their imports, a line for each circle. A file may name its own parts below it.
fn circles(files: &[File]) -> Vec<String> {
    let own = files.iter().filter(|file| !is_test(file));
    let nodes: BTreeMap<String, Node> = own.map(|file| (place(file), node(file))).collect();
    let imports: BTreeMap<&str, BTreeSet<&str>> =
        nodes.keys().map(|place| (place.as_str(), imported_files(place, &nodes))).collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|place| (*place, reached_from(place, &imports))).collect();
    let circle = |place: &str| -> Vec<&str> {
        let others = reached[place].iter().filter(|other| reached[**other].contains(place));
        others.map(|other| nodes[*other].path.as_str()).collect()
    };
    let found: BTreeSet<Vec<&str>> =
        imports.keys().map(|place| circle(place)).filter(|files| !files.is_empty()).collect();
    found.into_iter().map(|files| files.join(", ")).collect()
}

fn node(file: &File) -> Node {
    let code = file.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code = File { path: file.path.clone(), text: code.to_owned() };
    let imports = imports(&code).into_iter().map(|import| absolute(&code, &import.path.text));
    Node {
        path: file.path.clone(),
        imports: imports.collect(),
        names: paths(&code).into_iter().map(|path| path.text).collect(),
    }
}

/// "crate::agent::think"
fn place(file: &File) -> String {
    let stem = file.path.trim_start_matches("src/").trim_end_matches(".rs");
    format!("crate::{}", stem.replace('/', "::"))
}

fn reached_from<'f>(place: &'f str, imports: &BTreeMap<&'f str, BTreeSet<&'f str>>) -> BTreeSet<&'f str> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![place]);
    while let Some(next) = open.pop() {
        open.extend(imports[next].iter().copied().filter(|file| seen.insert(*file)));
    }
    seen
}

/// The files whose items a file names.
fn imported_files<'f>(own: &str, nodes: &'f BTreeMap<String, Node>) -> BTreeSet<&'f str> {
    let found = nodes[own].names.iter().filter_map(|path| resolve(own, path, nodes, 0));
    found.filter(|found| *found != own && !found.starts_with(&format!("{own}::"))).collect()
}

/// The file of an item. A re-export leads on to where the item is.
fn resolve<'f>(from: &str, path: &str, nodes: &'f BTreeMap<String, Node>, depth: usize) -> Option<&'f str> {
    const CHAIN: usize = 5;
    let path = if path.starts_with("crate::") { path.to_owned() } else { format!("{from}::{path}") };
    let steps: Vec<&str> = path.split("::").collect();
    let prefixes = (2..=steps.len()).rev().map(|at| (at, steps[..at].join("::")));
    let (at, (place, node)) =
        prefixes.into_iter().find_map(|(at, prefix)| Some((at, nodes.get_key_value(&prefix)?)))?;
    let name = steps.get(at).filter(|_| depth < CHAIN).map(|name| format!("::{name}"));
    let led_on = name.and_then(|name| {
        let mut same = node.imports.iter().filter(|import| import.ends_with(&name));
        same.find_map(|import| resolve(place, import, nodes, depth + 1))
    });
    led_on.or(Some(place))
}

/// Paths that `is_meant`, outside the modules that may name them.
fn named(files: &[File], allowed: &[&str], is_meant: fn(&str) -> bool) -> Vec<String> {
    let others = files.iter().filter(|file| !allowed.contains(&module(file)));
    others.flat_map(|file| uses(file, is_meant)).collect()
}

fn uses(file: &File, is_meant: impl Fn(&str) -> bool) -> Vec<String> {
    let meant = paths(file).into_iter().filter(|path| is_meant(&path.text));
    meant.map(|path| violation(file, path.line, &path.text)).collect()
}

fn violation(file: &File, line: usize, what: &str) -> String {
    format!("{}:{line}: {what}", file.path)
}

fn root_of(path: &str) -> &str {
    path.split("::").next().unwrap_or_default()
}

fn is_in(path: &str, module: &str) -> bool {
    path.strip_prefix("crate::").is_some_and(|path| root_of(path) == module)
}

/// The module of the crate that a file belongs to.
fn module(file: &File) -> &str {
    let inside = file.path.strip_prefix("src/").unwrap_or(&file.path);
    inside.split(['/', '.']).next().unwrap_or_default()
}

/// Every path that the file names. Imports are written in full, and `super` and `self` are resolved.
fn paths(file: &File) -> Vec<Token> {
    let imported = imports(file).into_iter().map(|import| import.path);
    imported.chain(inline_paths(file)).map(|path| Token { text: absolute(file, &path.text), ..path }).collect()
}

fn absolute(file: &File, path: &str) -> String {
    let stem = file.path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    let mut place: Vec<&str> = stem.split('/').collect();
    let mut rest = path.split("::").peekable();
    if !matches!(rest.peek(), Some(&"super" | &"self")) {
        return path.to_owned();
    }
    while let Some(step) = rest.next_if(|step| ["super", "self"].contains(step)) {
        if step == "super" {
            place.pop();
        }
    }
    ["crate"].into_iter().chain(place).chain(rest).collect::<Vec<_>>().join("::")
}

struct Import {
    public: bool,
    path: Token,
}

fn imports(file: &File) -> Vec<Import> {
    let tokens = tokens(&file.text);
    let mut found = Vec::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.text == "use") {
        let end = tokens[at..].iter().position(|token| token.text == ";").map_or(tokens.len(), |length| at + length);
        let public = at > 0 && ["pub", ")"].contains(&tokens[at - 1].text.as_str());
        let mut leaves = Vec::new();
        tree(&tokens[at + 1..end], "", &mut leaves);
        found.extend(leaves.into_iter().map(|path| Import { public, path }));
    }
    found
}

/// The leaves of a `use` tree. Returns its number of tokens.
fn tree(tokens: &[Token], prefix: &str, leaves: &mut Vec<Token>) -> usize {
    let (mut at, mut path) = (0, prefix.to_owned());
    while let Some(token) = tokens.get(at) {
        match token.text.as_str() {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token.text != "}") {
                    at += tree(&tokens[at..], &path, leaves);
                    at += usize::from(tokens.get(at).is_some_and(|token| token.text == ","));
                }
                return at + 1;
            }
            "," | "}" => break,
            "as" => at += 1,
            "self" if !prefix.is_empty() && path == prefix => path = prefix.trim_end_matches("::").to_owned(),
            text => path.push_str(text),
        }
        at += 1;
    }
    leaves.push(Token { line: tokens[at - 1].line, text: path });
    at
}

fn inline_paths(file: &File) -> Vec<Token> {
    let tokens = tokens(&file.text);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if tokens[at].text == "use" {
            at += tokens[at..].iter().position(|token| token.text == ";").unwrap_or(tokens.len() - at);
        }
        let start = at;
        while at + 2 < tokens.len()
            && is_name(&tokens[at].text)
            && tokens[at + 1].text == "::"
            && is_name(&tokens[at + 2].text)
        {
            at += 2;
        }
        if at > start {
            let text = tokens[start..=at].iter().map(|token| token.text.as_str()).collect();
            found.push(Token { line: tokens[start].line, text });
        }
        at += 1;
    }
    found
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Names, `::` and single characters, without comments and string contents.
fn tokens(text: &str) -> Vec<Token> {
    let (mut found, mut line, mut rest) = (Vec::new(), 1, text);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => quoted(rest),
            'r' if rest.starts_with("r\"") || rest.starts_with("r#\"") => {
                let close = if rest.starts_with("r#") { "\"#" } else { "\"" };
                rest[3..].find(close).map_or(rest.len(), |end| 3 + end + close.len())
            }
            '\'' => character(rest),
            ':' if rest.starts_with("::") => 2,
            first if first.is_alphanumeric() || first == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            first => first.len_utf8(),
        };
        let token = &rest[..length];
        if !first.is_whitespace() && !"\"'".contains(first) && !token.starts_with("//") && !token.starts_with("/*") {
            found.push(Token { line, text: token.to_owned() });
        }
        line += token.matches('\n').count();
        rest = &rest[length..];
    }
    found
}

fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal, or of the mark of a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let from = at + escaped.len_utf8();
            rest[from..].find('\'').map_or(rest.len(), |end| from + end + 1)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

fn file(path: &str, text: &str) -> File {
    File { path: path.into(), text: text.into() }
}

fn source() -> Vec<File> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root()).expect("inside").to_str().expect("UTF-8").to_owned();
                found.push(File { text: read(&name), path: name });
            }
        }
    }
    found
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}
