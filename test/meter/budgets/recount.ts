import type { Budget } from "#meter/budgets/budget.ts";
import { computeWindow } from "#meter/budgets/windows.ts";
import { matchesWildcard } from "#kit/text/match-names.ts";
import { isObject, readMember, readString } from "#wire/json.ts";
import { maxTokensForJson } from "../../support/max-tokens.ts";
import { plainReader } from "../../support/plain-reader.ts";
import type { RequestDescription } from "./cast.ts";
import type { Setting } from "./wire.ts";

export type Sum = {
  readonly budget: Budget;
  readonly tool: string | null;
  readonly window: number;
  amount: number;
  dearest: number;
  /** False when some of it could only be charged by its bytes. */
  isExact: boolean;
};

export class Recount {
  readonly #setting: Setting;
  readonly #count: (text: string) => number;
  readonly sums = new Map<string, Sum>();

  constructor(setting: Setting) {
    this.#setting = setting;
    const { estimator } = plainReader(setting.client, setting.tokenizer);
    this.#count = (text) => estimator.count(text);
  }

  input({ text, method }: RequestDescription): number {
    const params: unknown = readMember(JSON.parse(text), "params");
    const texts =
      method === "resources/read"
        ? [readString(params, "uri") ?? ""]
        : [readString(params, "name") ?? "", JSON.stringify(readMember(params, "arguments"))];
    return texts.reduce((sum, one) => sum + this.#count(one), 0);
  }

  output({ method, tool }: RequestDescription, message: unknown): number {
    if (this.#setting.client !== "claude-code") return this.#most(method, message);
    const error = readMember(message, "error");
    if (error !== undefined) {
      if (method === "tools/call") {
        const said = readString(error, "message") ?? "";
        return this.#count(said === "" ? "Command failed with no output" : said);
      }
      const texts = [JSON.stringify(readMember(error, "code")), readString(error, "message") ?? ""];
      const data = readMember(error, "data");
      return this.#sum([...texts, data === undefined ? "" : JSON.stringify(data)]);
    }
    const result = readMember(message, "result");
    if (method === "resources/read") {
      return this.#sum(
        listAt(result, "contents").map(
          (one) => `${readString(one, "uri")}\n${readString(one, "text")}`,
        ),
      );
    }
    if (method === "prompts/get") {
      return this.#sum(
        listAt(result, "messages").map((one) => readString(one, "content", "text") ?? ""),
      );
    }
    const shown = this.#shown(result);
    const isSilent = shown.join("").trim() === "";
    return isSilent
      ? this.#count(`(mcp__server__${tool ?? ""} completed with no output)`)
      : this.#sum(shown);
  }

  add(
    asked: RequestDescription,
    tokens: number,
    calls: number,
    at: { tokensMs: number; callsMs: number },
  ): void {
    for (const sum of this.sumsOf(asked, at)) {
      const { unit, per } = sum.budget;
      const isWithheld = tokens === 0;
      if (isWithheld && unit === "dollars" && this.#isEitherWindow(sum, at)) continue;
      // What one call costs is known once its answer is delivered.
      const dollars = isWithheld && per === "call" ? 0 : this.#price(asked, tokens, calls);
      const amount = { tokens, calls, dollars }[unit];
      sum.amount += amount;
      sum.dearest = Math.max(sum.dearest, amount);
    }
  }

  // The price of a withheld call stays in the window that its answer was last tried in.
  #isEitherWindow({ budget, tool, window }: Sum, at: { callsMs: number }): boolean {
    const per = budget.per === "call" ? "session" : budget.per;
    const admitted = computeWindow(per, at.callsMs);
    if (admitted === window) return false;
    for (const sum of this.sums.values())
      if (sum.budget === budget && sum.tool === tool) sum.isExact = false;
    return true;
  }

  // In billionths of a dollar, rounded up. A withheld call, of no tokens, costs what its tool does.
  #price(asked: RequestDescription, tokens: number, calls: number): number {
    const { argumentToken, answerToken, findToolPrice } = this.#setting.callPrices;
    const input = tokens === 0 ? 0 : this.input(asked);
    const dollars = input * argumentToken + (tokens - input) * answerToken;
    const toolPrice = asked.method === "tools/call" ? findToolPrice(asked.tool) * calls : 0;
    return Math.ceil(Math.round(dollars * 1e12) / 1e3) + toolPrice;
  }

  sumsOf({ method, tool }: RequestDescription, at: { tokensMs: number; callsMs: number }): Sum[] {
    const named = method === "tools/call" ? tool : null;
    const budgets = this.#setting.budgets.filter(
      (one) => one.tool === null || (named !== null && matchesWildcard(one.tool, named)),
    );
    return budgets.map((budget) => {
      const whose = budget.tool === null ? null : named;
      const ms = budget.unit === "calls" ? at.callsMs : at.tokensMs;
      const window = computeWindow(budget.per === "call" ? "session" : budget.per, ms);
      const key = JSON.stringify([budget.spec, whose, budget.per === "call" ? 0 : window]);
      const fresh = { budget, tool: whose, window, amount: 0, dearest: 0, isExact: true };
      const sum: Sum = this.sums.get(key) ?? fresh;
      this.sums.set(key, sum);
      return sum;
    });
  }

  /** Tokens of an answer to a client that is not known, which may show it as JSON. */
  #most(method: string, message: unknown): number {
    const error = readMember(message, "error");
    if (error !== undefined) {
      const data = readMember(error, "data");
      const texts = [JSON.stringify(readMember(error, "code")), readString(error, "message") ?? ""];
      const read = this.#sum([...texts, data === undefined ? "" : JSON.stringify(data)]);
      return Math.max(read, maxTokensForJson(error, this.#count, true));
    }
    const result = readMember(message, "result");
    if (method === "resources/read") {
      const each = listAt(result, "contents").map((one) =>
        Math.max(
          this.#count(`${readString(one, "uri")}\n${readString(one, "text")}`),
          maxTokensForJson({ mimeType: null, _meta: null, ...one }, this.#count, true),
        ),
      );
      return each.reduce((sum, tokens) => sum + tokens, 0);
    }
    if (method === "prompts/get") {
      const each = listAt(result, "messages").map((one) => {
        const content = { annotations: null, _meta: null, ...objectAt(one, "content") };
        return maxTokensForJson({ ...one, content }, this.#count, true);
      });
      return each.reduce((sum, tokens) => sum + tokens, 0);
    }
    const blocks = listAt(result, "content");
    const texts = blocks.map((block) => readString(block, "text") ?? "");
    const annotated = blocks.map((block) => {
      const all = { audience: null, priority: null, lastModified: null };
      const annotations =
        readMember(block, "annotations") === undefined ? {} : { annotations: all };
      const read = this.#count(readString(block, "text") ?? "");
      return Math.max(
        read,
        maxTokensForJson({ annotations: null, _meta: null, ...block, ...annotations }, this.#count),
      );
    });
    const structured = readMember(result, "structuredContent");
    const isTwice = structured !== undefined && texts.includes(JSON.stringify(structured));
    const beside =
      structured === undefined || isTwice
        ? 0
        : maxTokensForJson(structured, this.#count, blocks.length === 0);
    return annotated.reduce((sum, tokens) => sum + tokens, beside);
  }

  #shown(result: unknown): string[] {
    const texts = listAt(result, "content").map((block) => readString(block, "text") ?? "");
    const structured = readMember(result, "structuredContent");
    // Claude Code joins the texts of an error.
    if (readMember(result, "isError") === true) return [texts.join("\n")];
    if (structured === undefined) return texts;
    return [JSON.stringify(structured)];
  }

  #sum(texts: readonly string[]): number {
    return texts.reduce((sum, text) => sum + this.#count(text), 0);
  }
}

function objectAt(value: unknown, key: string): object {
  const found = readMember(value, key);
  return isObject(found) ? found : {};
}

function listAt(value: unknown, key: string): object[] {
  const list = readMember(value, key);
  return Array.isArray(list) ? list.filter(isObject) : [];
}
