import type { Connection, Outcome } from "./clients.ts";

type Call = readonly [tool: string, args: Record<string, unknown>];

const settleMs = 500;

async function callAll(connection: Connection, calls: readonly Call[]): Promise<void> {
  for (const [tool, args] of calls) await connection.callTool(tool, args, []);
}

const throwIfFailed = (outcome: Outcome): void => {
  if (outcome.kind === "error") throw new Error(outcome.message);
};

export async function playEverything(connection: Connection): Promise<void> {
  await Bun.sleep(settleMs);
  await connection.listTools();
  await callAll(connection, [
    ["echo", { message: "Olá, mundo – 你好 👋" }],
    ["get-sum", { a: 2, b: 40 }],
    ["get-structured-content", { location: "Chicago" }],
    ["get-tiny-image", {}],
    ["get-annotated-message", { messageType: "error", includeImage: true }],
    ["get-resource-links", { count: 3 }],
    ["get-resource-reference", { resourceType: "Text", resourceId: 2 }],
    ["get-sum", { a: "two" }],
    ["no-such-tool", {}],
    ["trigger-long-running-operation", { duration: 0.3, steps: 3 }],
    ["get-roots-list", {}],
    ["trigger-sampling-request", { prompt: "One sentence about Lisbon", maxTokens: 50 }],
    ["trigger-elicitation-request", {}],
  ]);
  await connection.readResource("demo://resource/static/document/features.md");
  await connection.readResource("demo://no/such/thing");
  await connection.getPrompt("simple-prompt", {});
  await connection.getPrompt("args-prompt", { city: "Lisbon" });
}

export const playFilesystem =
  (folder: string) =>
  async (connection: Connection): Promise<void> => {
    await Bun.sleep(settleMs);
    await connection.listTools();
    await callAll(connection, [
      ["list_allowed_directories", {}],
      ["directory_tree", { path: folder }],
      ["read_text_file", { path: `${folder}/plants.txt` }],
      ["read_text_file", { path: `${folder}/plants.txt`, head: 1 }],
      ["read_media_file", { path: `${folder}/pixels.png` }],
      ["write_file", { path: `${folder}/new.txt`, content: "one\ntwo\n" }],
      [
        "edit_file",
        { path: `${folder}/new.txt`, edits: [{ oldText: "two", newText: "three" }], dryRun: true },
      ],
      ["read_text_file", { path: `${folder}/missing.txt` }],
      ["read_text_file", { path: "/etc/passwd" }],
      ["read_text_file", { path: 7 }],
    ]);
  };

export async function playMemory(connection: Connection): Promise<void> {
  await Bun.sleep(settleMs);
  await connection.listTools();
  const entities = [
    { name: "Ana", entityType: "person", observations: ["gardens", "speaks Portuguese"] },
    { name: "Lisbon", entityType: "city", observations: ["lies on seven hills"] },
  ];
  await callAll(connection, [
    ["create_entities", { entities }],
    ["create_relations", { relations: [{ from: "Ana", to: "Lisbon", relationType: "lives in" }] }],
    ["read_graph", {}],
    ["search_nodes", { query: "hills" }],
    ["open_nodes", { names: ["Ana"] }],
    ["add_observations", { observations: [{ entityName: "Nobody", contents: ["is not here"] }] }],
    ["delete_entities", { entityNames: ["Ana"] }],
    ["read_graph", {}],
  ]);
}

export async function playFixture(connection: Connection): Promise<void> {
  await connection.listTools();
  await callAll(connection, [
    ["echo", { message: "Olá, mundo – 你好 👋" }],
    ["weather", { city: "Lisbon" }],
    ["picture", {}],
    ["fail", {}],
    ["echo", { message: 7 }],
    ["no-such-tool", {}],
    ["slow", { steps: 3 }],
  ]);
}

export async function playModern(connection: Connection): Promise<void> {
  await playFixture(connection);
  throwIfFailed(await connection.callTool("plan", {}));
  throwIfFailed(await connection.readResource("note://today"));
  throwIfFailed(await connection.getPrompt("review", { code: "let x = 1" }));
  await connection.callTool("grow", {});
  await connection.listTools();
  await connection.callTool("grown", {});
}

export async function playLegacy(connection: Connection): Promise<void> {
  await playFixture(connection);
  throwIfFailed(await connection.callTool("ask-model", {}));
  throwIfFailed(await connection.callTool("ask-person", {}));
  throwIfFailed(await connection.callTool("list-roots", {}));
  await connection.callTool("grow", {});
  await connection.listTools();
  await connection.callTool("grown", {});
}
