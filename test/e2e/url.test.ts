import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:https";
import { freePort } from "../support/free-port.ts";
import { json, raw, type RawAnswers, RawEndpoint, rawTool } from "../support/raw-endpoint.ts";
import { everything, everythingOverHttp, executable, modernOverHttp } from "../support/servers.ts";
import { RefusingProxy } from "../support/refusing-proxy.ts";
import { eachFirst } from "../support/slow-cases.ts";
import { StartedProcess } from "../support/started-process.ts";
import { eventually } from "../support/wait.ts";
import { eachHome } from "./each-home.ts";
import { filesBelow, runMeter, startMeter } from "./run.ts";

const servers: StartedProcess[] = [];
const urls = { everything: "", modern: "" };
const home = eachHome();

beforeAll(async () => {
  const port = freePort();
  const legacy = new StartedProcess(everythingOverHttp(), { PORT: String(port) });
  const modern = new StartedProcess(modernOverHttp());
  servers.push(legacy, modern);
  urls.everything = `http://127.0.0.1:${port}/mcp`;
  urls.modern = `http://127.0.0.1:${await modern.firstLine()}/mcp`;
  await eventually("server-everything", () => legacy.err.includes("listening"));
});
afterAll(() => {
  for (const server of servers) server[Symbol.dispose]();
});
// The runtime reads variables about proxies and certificates when it starts.
const meter = (words: readonly string[], env?: Readonly<Record<string, string>>) =>
  env === undefined ? runMeter(home, words) : startMeter(home, words, { env });
const at = (name: string): string => join(home.path, name);
const written = (name: string): string => readFileSync(at(name), "utf8");

describe("a server is the same on stdio and by its URL", () => {
  const own = ["--", ...everything().argv];

  test("its lock, byte for byte, which --check of the other way passes (slow)", async () => {
    expect(await meter(["lock", "--lock", at("stdio.lock"), ...own])).toMatchObject({ status: 0 });
    const byUrl = await meter(["lock", "--lock", at("url.lock"), "--url", urls.everything]);
    expect(byUrl).toMatchObject({ status: 0, stderr: "" });
    expect(written("url.lock")).toBe(written("stdio.lock"));
    expect(written("url.lock")).not.toContain("127.0.0.1");
    for (const [file, words] of [
      ["stdio.lock", ["--url", urls.everything]],
      ["url.lock", own],
    ] as const) {
      const checked = await meter(["lock", "--check", "--lock", at(file), ...words]);
      expect(checked.stdout).toContain("passed: nothing differs from the lock");
    }
  });

  test("its profile, in each format (slow)", async () => {
    for (const format of ["json", "table", "markdown", "badge"]) {
      const [here, there] = [
        await meter(["profile", "--format", format, ...own]),
        await meter(["profile", "--format", format, "--url", urls.everything]),
      ];
      expect(there).toEqual({ ...here, stderr: "" });
    }
  });

  test("the recorded answers of a check, its verdict and its reports (slow)", async () => {
    const calls = at("calls.yaml");
    writeFileSync(
      calls,
      [
        "calls:",
        "  - { tool: echo, arguments: { message: hé 中 } }",
        "  - { tool: get-sum, arguments: { a: 2, b: 3 }, expect: { contains: '5' } }",
        "  - { tool: trigger-long-running-operation, arguments: { duration: 0.2, steps: 2 } }",
        "  - { tool: get-structured-content, arguments: { location: Chicago } }",
      ].join("\n"),
    );
    const ways = { stdio: own, url: ["--url", urls.everything] };
    const words = (name: keyof typeof ways) => [
      "check",
      "--calls",
      calls,
      "--lock",
      at(`${name}.lock`),
    ];
    for (const name of ["stdio", "url"] as const) {
      const made = await meter([...words(name), "--update", ...ways[name]]);
      expect(made.status).toBe(0);
    }
    expect(written("url.lock")).toBe(written("stdio.lock"));
    expect(JSON.parse(written("url.lock")).answers).toHaveLength(4);
    for (const format of ["sarif", "markdown", "json"]) {
      const outputs = [];
      for (const name of ["stdio", "url"] as const) {
        const { status, stdout } = await meter([
          ...words("stdio"),
          "--base",
          at("url.lock"),
          "--format",
          format,
          ...ways[name],
        ]);
        expect(status).toBe(0);
        outputs.push(stdout.replaceAll(/"duration_ms": [\d.]+|\| [\d.,]+ \| ok/g, ""));
      }
      expect(outputs[1]).toBe(outputs[0] ?? "");
    }
    const junit = await meter([...words("url"), "--format", "junit", ...ways.url]);
    expect(junit.stdout).toContain('testcase classname="mcp-meter.calls');
  });
});

test("a server of 2026 is locked and checked without a session", async () => {
  writeFileSync(at("calls.yaml"), "calls:\n  - { tool: échо, arguments: { text: hé 中 } }\n");
  const words = ["--calls", at("calls.yaml"), "--lock", at("a.lock"), "--url", urls.modern];
  expect(await meter(["check", "--update", ...words])).toMatchObject({
    status: 0,
    stderr: `mcp-meter: Recorded 1 answer in the lock "${at("a.lock")}"\n`,
  });
  expect(await meter(["check", ...words])).toMatchObject({ status: 0 });
  expect(JSON.parse(written("a.lock"))).toMatchObject({ server: { name: "modern-http" } });
});

const secrets = {
  TOKEN: "CANARY-token-7f3a",
  KEY: "CANARY-key-91bc",
  password: "CANARY-word-52de",
  query: "CANARY-query-08af",
};

function echoing(where: "error" | "definitions" | "names" | "answers"): RawAnswers {
  return {
    "tools/list": (response, asked) => {
      const text = JSON.stringify({ ...asked.headers, path: asked.path });
      const decoded = Buffer.from(
        String(asked.headers.authorization).slice(6),
        "base64",
      ).toString();
      if (where === "error") {
        json({ error: { code: -32_603, message: `no: ${text} ${decoded}` } })(response, asked);
        return;
      }
      const description = where === "definitions" ? `${text} ${decoded}` : "A tool";
      const name = where === "names" ? `t_${String(asked.headers["x-key"])}` : "t";
      json({ result: { tools: [{ ...rawTool, name, description }] } })(response, asked);
    },
    "tools/call": (response, asked) =>
      json({
        result: { isError: true, content: [{ type: "text", text: JSON.stringify(asked.headers) }] },
      })(response, asked),
  };
}

const everywhere = (outputs: readonly { stdout: string; stderr: string }[]): string =>
  [
    ...outputs.flatMap(({ stdout, stderr }) => [stdout, stderr]),
    ...filesBelow(home.path).map((file) => readFileSync(file, "utf8")),
  ].join("\n");

describe("no secret is anywhere", () => {
  const env = (url: string) => ({
    ...secrets,
    MCP_METER_URL: `${url.replace("http://", `http://me:${secrets.password}@`)}?key=${secrets.query}`,
  });
  const headers = ["--header-env", "X-Key=KEY", "--header", `X-Token: ${secrets.TOKEN}`];

  test.each(["error", "definitions", "names", "answers"] as const)(
    "row 142: when the server repeats them in its %s (slow)",
    async (where) => {
      using server = new RawEndpoint(echoing(where));
      writeFileSync(at("calls.yaml"), "calls:\n  - { tool: t, expect: { error: false } }\n");
      const lines = [
        ["profile"],
        ["profile", "--json"],
        ["lock"],
        ["lock", "--check", "--lock", at("own.lock"), "--json"],
        ["check", "--calls", at("calls.yaml"), "--no-lock", "--json"],
        ["check", "--calls", at("calls.yaml"), "--no-lock", "--format", "junit"],
        ["check", "--calls", at("calls.yaml"), "--no-lock", "--format", "sarif"],
      ];
      const lock = await meter(["lock", "--lock", at("own.lock"), "--url", server.url]);
      expect([lock.status, lock.stderr]).toEqual(
        where === "error" ? [3, expect.any(String)] : [0, ""],
      );
      const ended = [];
      for (const words of lines) ended.push(await meter([...words, ...headers], env(server.url)));
      expect(server.seen.at(-1)?.headers).toMatchObject({
        "x-key": secrets.KEY,
        "x-token": secrets.TOKEN,
      });
      expect(server.last("tools/list").path).toContain(secrets.query);
      const all = everywhere(ended);
      for (const secret of Object.values(secrets)) expect(all).not.toContain(secret);
      expect(all).not.toContain(Buffer.from(`me:${secrets.password}`).toString("base64"));
      const lockSentence = "contain the value of a header or of the URL's query";
      if (where === "definitions" || where === "names")
        expect(ended[2]?.stderr).toContain(lockSentence);
      if (where === "error") expect(ended[0]?.stderr).toContain("${X-Key}");
    },
  );

  test("in the list of processes, with --header-env and the variable of the URL", async () => {
    using server = new RawEndpoint({ "server/discover": () => undefined });
    const argv = [executable(), "profile", "--header-env", "X-Key=KEY"];
    using running = new StartedProcess(argv, { ...home.env, ...env(server.url) });
    await eventually("the request", () => server.seen.length > 0);
    const shown = Bun.spawnSync(["ps", "-o", "args=", "-p", String(running.child.pid)]);
    expect(shown.stdout.toString()).toContain("--header-env");
    expect(shown.stdout.toString()).not.toContain("CANARY");
    await running.end();
  });
});

describe("a server that is not there, or not for everybody, is exit code 3 with one sentence", () => {
  eachFirst<[string, RawAnswers, string]>(1, [
    [
      "a token",
      { "server/discover": raw("", "text/plain", 401) },
      "--header-env Authorization=TOKEN",
    ],
    ["no answer", { "server/discover": () => undefined }, "did not answer within 1 s"],
  ])("%s", async (_, answers, sentence) => {
    using server = new RawEndpoint(answers);
    // A busy machine may take a second for an answer that comes.
    const timeout = sentence.includes("within 1 s") ? "1" : "30";
    const words = ["--timeout", timeout, "--url", server.url];
    for (const command of [["profile"], ["lock"], ["check", "--no-lock", "--max-total", "1M"]]) {
      const { status, stderr, stdout } = await meter([...command, ...words]);
      expect([status, stdout]).toEqual([3, ""]);
      expect(stderr).toStartWith("mcp-meter: ");
      expect(stderr).toContain(sentence);
      expect(stderr.trimEnd()).not.toContain("\n");
    }
    const junit = await meter([
      "check",
      "--no-lock",
      "--max-total",
      "1M",
      "--format",
      "junit",
      ...words,
    ]);
    expect([junit.status, junit.stdout]).toEqual([3, expect.stringContaining("<error")]);
  });
});

test("a certificate of one's own is trusted with NODE_EXTRA_CA_CERTS, and named without it", async () => {
  const folder = join(import.meta.dir, "../fixtures/tls");
  const [key, cert] = ["key.pem", "certificate.pem"].map((name) =>
    readFileSync(join(folder, name)),
  );
  using plain = new RawEndpoint();
  const server = createTlsServer({ key: key ?? "", cert: cert ?? "" }, plain.listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const words = ["profile", "--url", `https://localhost:${port}/mcp`];
  const refused = await meter(words);
  expect([refused.status, refused.stderr]).toEqual([
    3,
    expect.stringContaining(
      "its certificate is not trusted; set NODE_EXTRA_CA_CERTS to the authority's certificate file",
    ),
  ]);
  const NODE_EXTRA_CA_CERTS = join(folder, "certificate.pem");
  expect(await meter(words, { NODE_EXTRA_CA_CERTS })).toMatchObject({ status: 0, stderr: "" });
  server.closeAllConnections();
  server.close();
});

test("HTTPS_PROXY is used, and a proxy that refuses is said in one sentence", async () => {
  using proxy = await RefusingProxy.start();
  const env = { HTTPS_PROXY: proxy.url, NO_PROXY: "" };
  const { status, stderr } = await meter(["profile", "--url", "https://server.invalid/mcp"], env);
  expect([status, stderr.trimEnd().split("\n")]).toEqual([
    3,
    [
      expect.stringMatching(
        /^mcp-meter: Cannot (reach|connect to) https:\/\/server\.invalid\/mcp: /,
      ),
    ],
  ]);
  expect(proxy.lines[0]).toBe("CONNECT server.invalid:443 HTTP/1.1");
});

test("a signal ends a visit, and the session at the server", async () => {
  using server = new RawEndpoint({ "tools/list": () => undefined });
  using running = new StartedProcess([executable(), "profile", "--url", server.url], home.env);
  await eventually("the list", () => server.methods.includes("tools/list"));
  expect(await running.end("SIGINT")).toBe(130);
  expect(server.methods.at(-1)).toBe("DELETE");
});
