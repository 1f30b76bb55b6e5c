//! Questions about what others spent: “how much did Anna spend?”, “show everyone's expenses”, “what did we buy?”.
//!
//! They are read as if they were about the person's own. Whose expenses are meant, the tools read from the message
//! itself.

use super::{Reply, conversation, following::QUERIES, reader};
use crate::{
    model::{Message, ModelRequest},
    phrases::{Class, Possessor, possessors},
};

/// None if the message is about nobody else.
pub(super) fn reply(request: &ModelRequest<'_>) -> Option<Reply> {
    let [before @ .., Message::User(said)] = request.messages else { return None };
    let reader = reader(request);
    let own = if reader.amounts(said).is_empty() { as_own(said, request)? } else { return None };
    let reply = conversation::reply(&[before, &[Message::User(own)]].concat(), reader);
    // “Delete Anna's coffee” is not about the person's own.
    let looks = matches!(&reply, Reply::Calls(calls) if calls.iter().all(|call| QUERIES.contains(&call.name)));
    looks.then_some(reply)
}

/// “how much did I spend?” for “how much did Anna spend?”
fn as_own(said: &str, request: &ModelRequest<'_>) -> Option<String> {
    let names: Vec<&str> = request.people.iter().map(String::as_str).collect();
    let (mut own, mut end) = (String::new(), 0);
    for mention in possessors(said, &names, request.conventions.language) {
        let (before, word, rest) =
            (&said[end..mention.span.start], &said[mention.span.clone()], &said[mention.span.end..]);
        let genitive = Class::Genitive.all().iter().find(|(mark, _)| rest.starts_with(mark));
        let pronoun = match (mention.possessor, word.to_lowercase().as_str()) {
            (Possessor::Everyone, "our") => "my",
            (Possessor::Everyone, all) if genitive.is_some() && Class::WholeHousehold.contains(all) => "my",
            (Possessor::Everyone, all) if all == "we" || Class::WholeHousehold.contains(all) => "I",
            (Possessor::Named(_), _) if !mention.is_sure(said, reader(request)) => continue,
            (Possessor::Named(_), _) if mention.is_genitive => "my",
            (Possessor::Named(_), _) => "I",
            _ => continue,
        };
        own.extend([before, pronoun]);
        end = mention.span.end + genitive.map_or(0, |(mark, _)| mark.len());
    }
    (end > 0).then(|| own + &said[end..])
}
