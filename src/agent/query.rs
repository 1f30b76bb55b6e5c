//! A query that a program calls, without a message. It reads what a turn of the caller would read.

use super::{Agent, CurrentTurn, TurnError, TurnRequest, decide::not_done, merge_results, reply::Reply};
use crate::{
    model::ToolCall,
    proposal::Call,
    tool::{ToolKind, ToolOutcome},
};

const NO_QUERY: &str = "this tool does not read. Call one that reads";

impl Agent {
    pub(super) async fn answer_query(&self, request: &TurnRequest, call: &Call) -> Result<Reply, TurnError> {
        if self.registry.tool_kind(&call.tool) != ToolKind::Query {
            return Err(TurnError::Unprocessable(NO_QUERY.into()));
        }
        let store = self.store.tenant(request.caller.tenant());
        let context = store.turn_context(request.caller.user().as_str(), &request.conversation, None).await?;
        self.resume_due(store, &context.settings.runs, request.at, request.deadline.answer).await;
        let turn = CurrentTurn::new(request, store, context, None, "", self);
        let call = ToolCall { id: String::new(), name: call.tool.clone(), arguments: call.arguments.clone() };
        match self.registry.dispatch(&call, &turn.tool_context(&[], &[])).await? {
            ToolOutcome::Found(found) => {
                let answer = found.summary_for_llm.clone();
                let reply = merge_results::reply(vec![found], self.registry.reply_fields());
                Ok(turn.finish(Reply { answer, ..reply }))
            }
            outcome => Err(not_done(outcome, NO_QUERY)),
        }
    }
}
