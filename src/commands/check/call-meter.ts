import { basename } from "node:path";
import { createDefinitionPrices } from "#cost/definition-prices.ts";
import { riskThresholdsDefault } from "#cost/risk.ts";
import { sentences } from "#errors.ts";
import { isRemote } from "#mcp-client/server-target.ts";
import type { LineHandler } from "#mcp-client/traffic.ts";
import { sha256 } from "#os/sha256.ts";
import { Observer } from "#proxy/observer.ts";
import type { MeterRecord } from "#records/record.ts";
import { Meter } from "#session/meter.ts";
import type { Tell } from "#text/teller.ts";
import { version } from "#version.ts";
import { readerFor } from "../reader.ts";
import type { NamedServer, ServerOptions } from "../server/server-options.ts";

type MeterOptions = Pick<ServerOptions, "reading" | "risk"> & Pick<NamedServer, "target">;

export class CallMeter {
  readonly #options: MeterOptions;
  readonly #tell: Tell;
  #records: MeterRecord[] = [];
  #observer: Observer | undefined;

  constructor(options: MeterOptions, tell: Tell) {
    this.#options = options;
    this.#tell = tell;
  }

  start(): LineHandler {
    const { target, reading, risk } = this.#options;
    const program = isRemote(target) ? target.endpoint.host : basename(target.command[0] ?? "");
    const meter = new Meter({
      version,
      sessionId: crypto.randomUUID(),
      command: program,
      serverLabel: undefined,
      serverLabelFallback: program,
      risk: risk ?? riskThresholdsDefault,
      readerFor: readerFor(reading),
      hash: sha256,
      prices: createDefinitionPrices(),
    });
    const records: MeterRecord[] = [];
    const observer = new Observer(meter, {
      record: (record) => records.push(record),
      failed: (where, what) => this.#tell(sentences.observerFailed(where, what)),
    });
    this.#records = records;
    this.#observer = observer;
    return (from, line) => void observer.line(from, line);
  }

  async finish(): Promise<readonly MeterRecord[]> {
    await this.#observer?.finish({ code: 0 });
    return this.#records;
  }
}
