//! Makes a table of the page's files, each compressed, scripts without comments, and compresses the OpenAPI document. The
//! files in `src/page` are the source. What models are told of tools loses its indentation. The words and
//! phrases of `src/phrases` become tables that the program need not read when it starts. A release is linked so that its
//! zip is smaller.
//!
//! Files name each other relative to their own address, so `index.html` and the service worker decide it: here they get
//! the version of all files in it. Browsers keep files under such an address for good.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

#[path = "src/model/offline/frames/compile.rs"]
mod frames;
#[path = "src/phrases/lexicon/compile.rs"]
mod lexicon;
#[expect(dead_code, reason = "the program reads patterns")]
#[path = "src/phrases/patterns.rs"]
mod patterns;
#[path = "src/phrases/patterns/compile.rs"]
mod reader;
#[path = "src/phrases/word_table/compile.rs"]
mod tables;
#[path = "src/phrases/times/compile.rs"]
mod times;
#[expect(dead_code, reason = "the program searches the tables")]
#[path = "src/phrases/word_table.rs"]
mod word_table;

const FOLDER: &str = "src/page";

/// Embedded in the same way, but no file of the page.
const OPENAPI: &str = "src/http/openapi.json";

const SPECS: &str = "src/tool/registry/specs.json";

/// These name other files by their address, like `"page/app.js"`.
const NAMING: [&str; 2] = ["index.html", "service-worker.js"];

const MEDIA_TYPES: [(&str, &str); 6] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("webmanifest", "application/manifest+json"),
];

fn main() {
    println!("cargo::rerun-if-changed={FOLDER}");
    println!("cargo::rerun-if-changed={OPENAPI}");
    println!("cargo::rerun-if-changed={SPECS}");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it"));
    let mut files = Vec::new();
    collect(Path::new(FOLDER), &mut files);
    files.sort();
    let mut all = Sha256::new();
    for (name, content) in &files {
        all.update(format!("{name}\0{}\0", content.len()));
        all.update(content);
    }
    let version = &hex::encode(all.finalize())[..16];
    let mut table = format!("const VERSION: &str = {version:?};\nstatic FILES: &[File] = &[\n");
    for (n, (name, content)) in files.into_iter().enumerate() {
        let content = if NAMING.contains(&name.as_str()) { with_version(&content, version) } else { content };
        let content = if name.ends_with(".js") { without_comments(&content) } else { content };
        let gzip = out.join(format!("{n}.gzip"));
        fs::write(&gzip, compressed(&content)).expect("a compressed file");
        let media_type = media_type(&name).expect("only files with a type were collected");
        let hash = hex::encode(Sha256::digest(&content));
        table.push_str(&format!(
            "    File {{ name: {name:?}, media_type: {media_type:?}, hash: {hash:?}, gzip: \
             include_bytes!({gzip:?}) }},\n"
        ));
    }
    table.push_str("];\n");
    let content = without_indentation(&fs::read(OPENAPI).expect("the document"));
    let gzip = out.join("openapi.gzip");
    fs::write(&gzip, compressed(&content)).expect("a compressed file");
    let hash = hex::encode(Sha256::digest(&content));
    table.push_str(&format!(
        "static OPENAPI: File = File {{ name: \"openapi.json\", media_type: \"application/json\", hash: {hash:?}, gzip: \
         include_bytes!({gzip:?}) }};\n"
    ));
    fs::write(out.join("page.rs"), table).expect("the table");
    let specs = fs::read(SPECS).expect("the specs of the tools");
    fs::write(out.join("specs.json"), without_indentation(&specs)).expect("the specs of the tools");
    let classes = lexicon::compile(&out);
    times::compile(&out, &classes);
    frames::compile(&out, &classes["Closed"]);
    write_linker_script(&out);
}

/// Three ways to a smaller zip. A release aborts on a panic, so nothing reads the tables for unwinding, a tenth of it; profiles
/// that unwind keep them. Functions in the order of their names stand beside those that are compiled from the same source
/// for another type, where deflate finds what they share: 3 %. At a fixed address, like programs in Go, it needs no
/// 11,000 relocations: 1 %, and a quarter of a MiB of memory less.
fn write_linker_script(out: &Path) {
    const SCRIPT: &str = "\
SECTIONS { .text : { *(SORT_BY_NAME(.text.*)) *(.text) } } INSERT AFTER .rodata;
SECTIONS { /DISCARD/ : { *(.eh_frame) *(.eh_frame_hdr) *(.gcc_except_table .gcc_except_table.*) } } INSERT AFTER .text;
";
    let is = |name, value| env::var(name).is_ok_and(|set| set == value);
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") {
        let script = out.join("release.ld");
        fs::write(&script, SCRIPT).expect("the linker's script");
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", script.display());
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// Names, relative to the folder, and contents.
fn collect(folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("a folder of the page") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
            continue;
        }
        let name = path.strip_prefix(FOLDER).expect("inside").to_str().expect("a name in UTF-8").replace('\\', "/");
        // Notes and types for editors have no media type.
        if media_type(&name).is_some() {
            files.push((name, fs::read(&path).expect("a file of the page")));
        }
    }
}

fn media_type(name: &str) -> Option<&'static str> {
    let extension = name.rsplit_once('.')?.1;
    Some(MEDIA_TYPES.iter().find(|(known, _)| *known == extension)?.1)
}

fn with_version(content: &[u8], version: &str) -> Vec<u8> {
    let text = std::str::from_utf8(content).expect("text");
    ['"', '\'']
        .iter()
        .fold(text.to_owned(), |text, quote| text.replace(&format!("{quote}page/"), &format!("{quote}page/{version}/")))
        .into_bytes()
}

/// Leaves out indentation and lines that are only a comment. The others keep their numbers.
fn without_comments(script: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(script).expect("text");
    let lines = text.lines().map(str::trim_start).map(|line| if line.starts_with("//") { "" } else { line });
    lines.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()
}

/// JSON on one line: no text in it has a line end, and no name a colon. A quarter less when compressed.
fn without_indentation(json: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(json).expect("text");
    let short = |line: &str| match line.trim_start().split_once("\": ") {
        Some((name, value)) if !name.ends_with('\\') => format!("{name}\":{value}"),
        _ => line.trim_start().to_owned(),
    };
    text.lines().map(short).collect::<String>().into_bytes()
}

fn compressed(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    zopfli::compress(zopfli::Options::default(), zopfli::Format::Gzip, content, &mut out).expect("memory");
    out
}
