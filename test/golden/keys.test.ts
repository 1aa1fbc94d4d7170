/** Keys that pair a record with the client's own log: the model, and hashes of ids where the wire or the environment has them. */
import { describe, expect, test } from "bun:test";
import { createReaderChooser } from "#commands/reader-chooser.ts";
import { readMember } from "#wire/json.ts";
import { type SpokenEra, spokenEras } from "../support/eras.ts";
import { Play } from "../support/play.ts";

const ids = {
  toolu_01Golden: "0abd611305aad3af7acbbf279bbca739118e4e8720a822ca699783acedc370ab",
  "exec-golden-1": "77c26f89661c788a45c68e8c8ccf709f5fd6c2f86f78e90c390c36aebc8bcaff",
  "thread-golden": "5c9aa8c6e22f7bbbfb2782cbae4ca04d9fb83ca562a3c731817a482d4fea2298",
  "session-golden": "0c36857851849f43582b86eaf6b2185d3538b471e3364dc3651feeca5df4a5c1",
  "turn-golden": "f23338f4370133ffb5bb2b9b0583e91000572a1aa93e149ba35c2a41036aa881",
};

const codexMeta = {
  callId: "exec-golden-1",
  threadId: "thread-golden",
  sessionId: "session-golden",
  "x-codex-turn-metadata": { model: "gpt-6-codex", turn_id: "turn-golden" },
};

type Row = {
  readonly client: string;
  readonly meta: object;
  readonly session?: object;
  readonly call: object;
};

const clients: readonly Row[] = [
  {
    client: "claude-code",
    meta: { "claudecode/toolUseId": "toolu_01Golden" },
    session: { client_session_id_sha256: ids["session-golden"] },
    call: { call_id_sha256: ids.toolu_01Golden },
  },
  {
    client: "codex-mcp-client",
    meta: codexMeta,
    call: {
      model: "gpt-6-codex",
      call_id_sha256: ids["exec-golden-1"],
      thread_id_sha256: ids["thread-golden"],
      client_session_id_sha256: ids["session-golden"],
      turn_id_sha256: ids["turn-golden"],
    },
  },
  { client: "gemini-cli-mcp-client", meta: { progressToken: 1 }, call: {} },
  { client: "golden-host", meta: { progressToken: 1 }, call: {} },
];

const keys: ReadonlySet<string> = new Set([
  "model",
  "call_id_sha256",
  "thread_id_sha256",
  "client_session_id_sha256",
  "turn_id_sha256",
]);

function keysOf(record: object | undefined): object {
  const found = Object.entries(record ?? {}).filter(([name]) => keys.has(name));
  return Object.fromEntries(found);
}

function played({ begin, ask, answer }: SpokenEra, { client, meta }: Row): Play {
  const { asked, answered } = begin(client);
  const env = { CLAUDE_CODE_SESSION_ID: "session-golden" };
  const options = { tokenizer: "o200k", model: undefined, client: undefined } as const;
  const request = ask(1, "tools/call", { name: "weather", arguments: { q: 1 } });
  const params: unknown = readMember(request, "params");
  const given: unknown = readMember(params, "_meta");
  const withKeys = { ...Object(params), _meta: { ...Object(given), ...meta } };
  return new Play({ readerFor: createReaderChooser({ ...options, windowTokens: undefined }, env) })
    .client(asked)
    .server(answered)
    .client({ ...request, params: withKeys })
    .server(answer(1, { content: [{ type: "text", text: "Cold" }] }))
    .end();
}

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_era, era) => {
  test.each(clients.map((row) => [row.client, row] as const))("%s", (_client, row) => {
    const play = played(era, row);
    expect(play.calls.map(keysOf)).toEqual([row.call]);
    const session = play.records.find((record) => record.type === "session");
    expect(keysOf(session)).toEqual({ model: null, ...row.session });
    const text = JSON.stringify(play.records);
    for (const id of Object.keys(ids)) expect(text).not.toContain(id);
  });
});
