"""Lists, asks and adds with the published MCP client of Python, and prints what it got as JSON.

mcp_client.py URL TENANT MODE ANSWER: the mode is `auto`, `legacy` or a revision; the answer to a form is `yes`, `no`, `close` or
`none`, which shows no forms.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

URL, TENANT, MODE, ANSWER = sys.argv[1:]
ANSWERS = {
    "yes": types.ElicitResult(action="accept", content={"approve": True}),
    "no": types.ElicitResult(action="decline"),
    "close": types.ElicitResult(action="cancel"),
}


async def main():
    forms = []

    async def answer(_, params):
        forms.append(params.message)
        return ANSWERS[ANSWER]

    headers = {"x-tenant-id": TENANT, "x-user-id": "ann", "x-roles": "member"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(URL, http_client=http)
        shown = None if ANSWER == "none" else answer
        async with Client(transport, mode=MODE, elicitation_callback=shown) as client:
            # The client checks results against the schemas of this list.
            await client.list_tools()
            added = await client.call_tool("add_expense", {"item": "coffee", "amount": "3.50", "date": "2025-06-02"})
            listed = await client.call_tool("list_expenses", {})
            missing = await client.call_tool("delete_expense", {"id": 7})
            try:
                await client.call_tool("no_such_tool", {})
                error = None
            except MCPError as refused:
                error = refused.code
            print(json.dumps({
                "version": client.protocol_version,
                "forms": forms,
                "status": added.structured_content["status"],
                "listed": [row["item"] for row in listed.structured_content["listed"]],
                "missing": [missing.is_error, missing.content[0].text],
                "error": error,
            }))


asyncio.run(main())
