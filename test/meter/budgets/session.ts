import { expect } from "bun:test";
import { toShownAmount } from "#meter/budgets/counter.ts";
import { computeWindow } from "#meter/budgets/windows.ts";
import { isObject, readMember, readString } from "#wire/json.ts";
import { Random } from "../../../scripts/fuzz/contents.ts";
import { answerTo, type RequestDescription, Cast, tools } from "./cast.ts";
import { isSameId, isSameValue, isUnsafe, numberOf, rawIdIn, refusalIn } from "./reading.ts";
import { Recount } from "./recount.ts";
import { settingOf } from "./setting.ts";
import { type Arrival, type Setting, Wire } from "./wire.ts";

type Open = {
  readonly asked: RequestDescription;
  readonly root: RequestDescription;
  readonly admittedMs: number;
};

const priced = new Set(["tools/call", "resources/read", "prompts/get"]);
const neverRun = -32_601;

type Answer = { readonly result: object } | { readonly error: object };

export class Session {
  readonly #random: Random;
  readonly #setting: Setting;
  readonly #wire: Wire;
  readonly #cast: Cast;
  readonly #recount: Recount;
  #open: Open[] = [];
  #waiting: RequestDescription[] = [];
  #suspended: { readonly open: Open; readonly state: string; readonly kind: "round" | "task" }[] =
    [];
  readonly #seen = new Set<string>();

  constructor(seed: number, notesRepeats: boolean) {
    this.#random = new Random(seed);
    this.#setting = settingOf(this.#random, notesRepeats);
    this.#wire = new Wire(this.#setting);
    this.#cast = new Cast(this.#random, this.#random.chance(0.4), notesRepeats);
    this.#recount = new Recount(this.#setting);
  }

  play(): ReadonlySet<string> {
    for (let steps = 10 + this.#random.below(40); steps > 0; steps -= 1) this.#step();
    this.#end();
    return this.#seen;
  }

  #step(): void {
    const what = this.#random.below(20);
    if (what < 7) this.#ask();
    else if (what < 8) this.#askMany();
    else if (what < 14) this.#answer();
    else if (what < 15) this.#answerMany();
    else if (what < 16) this.#cancel();
    else if (what < 17) this.#goOn();
    else if (what < 18) this.#chat();
    else if (what < 19) this.#wait();
    else this.#wire.work();
  }

  #ask(): void {
    const asked = this.#cast.ask(this.#wire.nowMs, this.#random.chance(0.93));
    this.#heard(() => this.#wire.say("client", asked.text), [asked]);
  }

  #askMany(): void {
    const batch = Array.from({ length: 2 + this.#random.below(3) }, () =>
      this.#cast.ask(this.#wire.nowMs, this.#random.chance(0.9)),
    );
    // In batches, ids beyond 2^53 are not told apart.
    // Elements that were asked for go on as lines of their own.
    if (batch.some(isUnsafe) || this.#setting.isAsked) return;
    const text = `[${batch.map((one) => one.text).join(", ")}]`;
    this.#heard(() => this.#wire.say("client", text), batch);
  }

  #heard(act: () => void, asked: readonly RequestDescription[]): void {
    const [servers, clients] = this.#during(act);
    const reached = servers.map(({ text }) => text).join("\n");
    const refused = clients.map((one) => refusalIn(one.text, "was not run"));
    for (const one of asked) {
      if (reached.includes(one.text)) {
        this.#admitted(one);
      } else if (one.rawId === undefined) {
        this.#seen.add("dropped");
      } else {
        const at = refused.indexOf(one.rawId);
        if (at < 0) this.#waiting.push(one);
        else refused.splice(at, 1);
        this.#seen.add(at < 0 ? "waited" : "refused");
        expect(priced.has(one.method)).toBe(true);
      }
    }
    expect(refused).toEqual([]);
    if (asked.length > 1 && servers.length > 0) {
      const passed = asked.filter((one) => reached.includes(one.text));
      const numbers: unknown[] = [JSON.parse(reached)].flat().map(numberOf);
      expect(numbers).toEqual(passed.map(({ number }) => number));
    }
  }

  #admitted(asked: RequestDescription): void {
    const nowMs = this.#wire.nowMs;
    if (asked.rawId !== undefined) {
      this.#open.push({ asked, root: asked, admittedMs: nowMs });
    } else if (priced.has(asked.method)) {
      this.#recount.add(asked, this.#recount.input(asked), 1, { tokensMs: nowMs, callsMs: nowMs });
    }
  }

  #answer(): void {
    const open = this.#next();
    if (open) this.#answerAll([open]);
  }

  #answerMany(): void {
    // A batch that is too long to be read passes as it is, as batches of more than 10,000 do.
    // Equal answers to equal ids could not be told apart.
    if (this.#setting.observedMax < 1_000 || this.#setting.notesRepeats === true) return;
    const many = [this.#next(), this.#next(), this.#next()].filter((one) => one !== undefined);
    const isMixed = many.some(({ asked }) => isUnsafe(asked));
    if (many.length > 0 && !isMixed) this.#answerAll(many);
    else for (const open of many) this.#answerAll([open]);
  }

  #next(): Open | undefined {
    const chosen = this.#random.any(this.#open);
    if (!chosen) return undefined;
    const oldest = this.#open.find((one) => isSameId(one.asked, chosen.asked));
    if (!oldest) return undefined;
    this.#open = this.#open.filter((one) => one !== oldest);
    return oldest;
  }

  #answerAll(many: readonly Open[]): void {
    const said = many.map((open) => ({ open, text: this.#sayAnswer(open) }));
    const texts = said.map(({ text }) => text);
    const line = texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(",")}]`;
    const [servers, clients] = this.#during(() => this.#wire.say("server", line));
    expect(servers).toEqual([]);
    const isLong = line.length + 1 > this.#setting.observedMax;
    const own = clients.filter(({ text }) => text.startsWith("[") || texts.includes(text));
    const ours = clients.filter((one) => !own.includes(one)).map(({ text }) => text);
    for (const { open, text } of said) {
      const isOwn = own.some((one) => one.text.includes(text));
      const at = ours.findIndex((one) => rawIdIn(one) === open.asked.rawId);
      const [instead] = isOwn ? [text] : ours.splice(at, 1);
      if (instead === undefined) throw new Error(`no answer to ${text}`);
      this.#delivered(open, instead, isOwn, isLong);
    }
    expect(ours).toEqual([]);
  }

  #delivered(
    { asked, root, admittedMs }: Open,
    text: string,
    isOwn: boolean,
    isLong: boolean,
  ): void {
    if (!priced.has(root.method)) {
      expect(isOwn).toBe(true);
      return;
    }
    if (root.isCancelled) {
      this.#seen.add("late");
      expect(isOwn).toBe(true);
      return;
    }
    if (isOwn && this.#suspended.some(({ open }) => open.asked === asked)) return;
    if (refusalIn(text, "ran, but") !== undefined) {
      this.#seen.add(isLong ? "withheld unread" : "withheld");
      expect(rawIdIn(text)).toBe(asked.rawId);
      // It has run: that counts under limits of calls.
      this.#recount.add(root, 0, 1, { tokensMs: this.#wire.nowMs, callsMs: admittedMs });
      return;
    }
    this.#seeReplaced(text, isOwn);
    const message: unknown = JSON.parse(text);
    const state = readMember(message, "result");
    const isState = readString(state, "taskId") !== undefined;
    const answer = isState ? state : message;
    const output = this.#recount.output(root, answer);
    const didRun = readMember(answer, "error", "code") === neverRun ? 0 : 1;
    const at = { tokensMs: this.#wire.nowMs, callsMs: admittedMs };
    this.#recount.add(root, this.#recount.input(root) + output, didRun, at);
    const isExact = !isLong && !this.#isJoined(text);
    for (const sum of this.#recount.sumsOf(root, at)) sum.isExact &&= isExact;
    this.#checkCeilings();
  }

  #seeReplaced(text: string, isOwn: boolean): void {
    if (!isOwn) this.#seen.add(text.includes("is unchanged since") ? "noted" : "replaced");
  }

  // Claude Code joins the texts of a cut answer that is an error, and the recount rounds once.
  #isJoined(text: string): boolean {
    return this.#setting.notesRepeats === true && text.includes("mcp-meter: cut after");
  }

  #sayAnswer(open: Open): string {
    const { asked, root } = open;
    const random = this.#random;
    if (asked.method === "tools/list") {
      const listed = this.#setting.notesRepeats ? tools.map((name) => ({ name })) : [];
      return answerTo(asked, "result", { tools: listed });
    }
    const value = this.#finalAnswer(root);
    if (root !== asked && asked.method !== root.method) return taskAnswer(open, value);
    const mayGoOn = root === asked && !root.isCancelled && root.method === "tools/call";
    const kind = mayGoOn ? random.below(10) : 9;
    if (kind === 0) {
      const state = `state ${root.number}`;
      this.#suspended.push({ open, state, kind: "round" });
      const requests = { resultType: "input_required", requestState: state, inputRequests: {} };
      return answerTo(asked, "result", requests);
    }
    if (kind === 1) {
      const state = `task ${root.number}`;
      this.#suspended.push({ open, state, kind: "task" });
      return answerTo(asked, "result", { task: { taskId: state, status: "working" } });
    }
    if ("error" in value) return answerTo(asked, "error", value.error);
    return answerTo(asked, "result", value.result);
  }

  #finalAnswer({ method }: RequestDescription): Answer {
    const text =
      this.#setting.notesRepeats === true && this.#random.chance(0.8)
        ? "one two three ".repeat(90)
        : this.#cast.words(this.#random.chance(0.2) ? 60 : 12);
    if (this.#random.chance(0.08)) {
      const code = this.#random.chance(0.5) ? neverRun : -5;
      return { error: { code, message: text } };
    }
    if (method === "resources/read") return { result: { contents: [{ uri: "u:", text }] } };
    if (method === "prompts/get") {
      const content = { type: "text", text };
      return { result: { messages: [{ role: "user", content }] } };
    }
    const block = { type: "text", text };
    const content = this.#random.pick([
      [block],
      [block],
      [block, { ...block, annotations: {} }],
      [],
    ]);
    const isStructured = content.length === 0 || this.#random.chance(0.2);
    return { result: { content, ...(isStructured ? { structuredContent: { text } } : {}) } };
  }

  #cancellable(): RequestDescription | undefined {
    const open = this.#random.any(this.#open.filter(({ asked, root }) => asked === root));
    return open?.asked ?? this.#random.any(this.#waiting);
  }

  #cancel(): void {
    const chosen = this.#cancellable();
    if (!chosen || this.#random.chance(0.3)) return;
    const same = (one: RequestDescription): boolean => isSameValue(one, chosen);
    const oldest = this.#open.find(({ asked }) => same(asked));
    if (oldest && oldest.asked !== oldest.root) return;
    const waiting = oldest ? undefined : this.#waiting.find(same);
    const note = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${chosen.rawId}}}`;
    const [servers, clients] = this.#during(() => this.#wire.say("client", note));
    expect([servers.map(({ text }) => text), clients]).toEqual([[note], []]);
    this.#seen.add(oldest ? "cancelled" : "cancelled waiting");
    if (waiting) this.#waiting = this.#waiting.filter((one) => one !== waiting);
    if (!oldest) return;
    oldest.root.isCancelled = true;
    // A late answer would be taken for one to the call that has the same id now.
    const isAlone = this.#open.filter(({ asked }) => same(asked)).length === 1;
    this.#open = this.#open.filter((one) => one !== oldest);
    if (isAlone && !this.#random.chance(0.5)) this.#answerAll([oldest]);
  }

  #goOn(): void {
    const suspended = this.#random.any(this.#suspended);
    if (!suspended) return;
    this.#suspended = this.#suspended.filter((one) => one !== suspended);
    const { open, state, kind } = suspended;
    const { root, admittedMs } = open;
    const { nowMs } = this.#wire;
    this.#seen.add(kind);
    const params: unknown = readMember(JSON.parse(root.text), "params");
    const method =
      kind === "round" ? root.method : this.#random.pick(["tasks/result", "tasks/get"]);
    const round = { requestState: state, inputResponses: {} };
    const told = kind === "round" && isObject(params) ? { ...params, ...round } : { taskId: state };
    const asked = this.#cast.goOn(root, method, told, nowMs);
    const [servers, clients] = this.#during(() => this.#wire.say("client", asked.text));
    expect([servers.map(({ text }) => text), clients]).toEqual([[asked.text], []]);
    this.#open.push({ asked, root, admittedMs });
  }

  #chat(): void {
    const note = ' {"method":"notifications/progress","jsonrpc":"2.0","params":{"n":1.0}}\r';
    for (const [from, to] of [
      ["client", 0],
      ["server", 1],
    ] as const) {
      const heard = this.#during(() => this.#wire.say(from, note));
      expect(heard[to].map(({ text }) => text)).toEqual([note]);
      expect(heard[1 - to]).toEqual([]);
    }
  }

  #wait(): void {
    const ms = this.#random.pick([10, 1_000, 20_000, 50_000, 3_600_000]);
    const [servers, clients] = this.#during(() => this.#wire.later(ms));
    this.#released(servers, clients);
  }

  #released(servers: readonly Arrival[], clients: readonly Arrival[]): void {
    for (const { text } of servers) {
      const number = numberOf(JSON.parse(text));
      const notes = this.#cast.asked.filter(({ rawId }) => rawId === undefined);
      const asked = [...this.#waiting, ...notes].find((one) => one.number === number);
      if (!asked) throw new Error(`nobody waited to say ${text}`);
      expect(text.trim()).toBe(asked.text);
      this.#waiting = this.#waiting.filter((one) => one !== asked);
      this.#seen.add("released");
      this.#admitted(asked);
    }
    for (const { text } of clients) {
      const rawId = refusalIn(text, "was not run");
      const asked = this.#waiting.find((one) => one.rawId === rawId);
      if (!asked) throw new Error(`nobody waited for ${text}`);
      this.#waiting = this.#waiting.filter((one) => one !== asked);
      this.#seen.add("waited in vain");
    }
  }

  #end(): void {
    const before = [this.#wire.toServer.length, this.#wire.toClient.length];
    const counters = this.#wire.end();
    this.#released(this.#wire.toServer.slice(before[0]), this.#wire.toClient.slice(before[1]));
    expect(this.#waiting).toEqual([]);
    for (const { root, admittedMs } of [
      ...this.#open,
      ...this.#suspended.map(({ open }) => open),
    ]) {
      if (!priced.has(root.method)) continue;
      const at = { tokensMs: admittedMs, callsMs: admittedMs };
      this.#recount.add(root, this.#recount.input(root), 1, at);
    }
    this.#checkCeilings();
    this.#checkCounters(counters);
  }

  #checkCeilings(): void {
    for (const { budget, amount, dearest } of this.#recount.sums.values()) {
      if (!["error", "truncate", "spill"].includes(budget.action)) continue;
      const most = budget.per === "call" ? dearest : amount;
      if (most > budget.limit) throw new Error(`${budget.spec}: ${most} were delivered`);
    }
  }

  #checkCounters(
    counters: readonly { budget: string; tool: string | null; spent: number }[],
  ): void {
    for (const { budget, tool, window, amount, dearest, isExact } of this.#recount.sums.values()) {
      const { per } = budget;
      if (per !== "call" && window !== computeWindow(per, this.#wire.nowMs)) continue;
      const counter = counters.find((one) => one.budget === budget.spec && one.tool === tool);
      const spent = budget.per === "call" ? dearest : amount;
      const told = `${budget.spec} of ${tool}`;
      const shown = toShownAmount(budget.unit, spent);
      if (isExact) expect([told, counter?.spent]).toEqual([told, shown]);
      else expect(counter?.spent).toBeGreaterThanOrEqual(shown);
    }
  }

  #during(act: () => void): readonly [Arrival[], Arrival[]] {
    const { toServer, toClient } = this.#wire;
    const [servers, clients] = [toServer.length, toClient.length];
    act();
    return [toServer.slice(servers), toClient.slice(clients)];
  }
}

function taskAnswer({ asked, root }: Open, value: Answer): string {
  const status = "error" in value ? "failed" : "completed";
  const state = { taskId: `task ${root.number}`, status, ...value };
  if (asked.method === "tasks/get") return answerTo(asked, "result", state);
  return "error" in value
    ? answerTo(asked, "error", value.error)
    : answerTo(asked, "result", value.result);
}
