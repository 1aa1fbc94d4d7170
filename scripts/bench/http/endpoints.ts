import { type Bench, makeServerCommand, makeLogPath } from "../bench.ts";

/** Never used up, but messages that it could refuse are held until they are decided. */
const hugeBudget = "1000000M/session";
const lifetimeMaxMs = 600_000;
const exitMaxMs = 30_000;

export type HttpRole = "bare" | "bun" | "meter" | "gated" | "older";

type EndpointBench = Omit<Bench, "meter"> & { readonly meter: string | undefined };

type Proxy = {
  readonly role: HttpRole;
  readonly name: string;
  readonly command: (url: string, log: string) => readonly string[];
};

export class Endpoint {
  readonly role: HttpRole;
  readonly name: string;
  readonly url: string;
  readonly log: string;
  readonly #process: Bun.Subprocess<"ignore", "pipe", number>;

  private constructor(
    { role, name }: Omit<Proxy, "command">,
    log: string,
    process: Bun.Subprocess<"ignore", "pipe", number>,
    url: string,
  ) {
    this.role = role;
    this.name = name;
    this.log = log;
    this.#process = process;
    this.url = url;
  }

  static async start(bench: EndpointBench, proxy: Proxy, target: string): Promise<Endpoint> {
    const log = makeLogPath(bench);
    const child = Bun.spawn({
      cmd: [...proxy.command(target, log)],
      env: bench.env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: bench.stderr,
      timeout: lifetimeMaxMs,
      killSignal: "SIGKILL",
    });
    const { value } = await child.stdout.getReader().read();
    const url = Buffer.from(value ?? []).toString();
    if (!url.endsWith("\n")) throw new Error(`The ${proxy.name} has printed no URL`);
    return new Endpoint(proxy, log, child, url.trimEnd());
  }

  get pid(): number {
    return this.#process.pid;
  }

  get meters(): boolean {
    return this.role === "meter" || this.role === "gated" || this.role === "older";
  }

  async close(): Promise<void> {
    this.#process.kill("SIGTERM");
    const late = setTimeout(() => this.#process.kill("SIGKILL"), exitMaxMs);
    const code = await this.#process.exited;
    clearTimeout(late);
    if (this.meters && code !== 0) throw new Error(`The ${this.name} ended with code ${code}`);
  }

  kill(): void {
    this.#process.kill("SIGKILL");
  }
}

export async function withEndpoints<T>(
  bench: EndpointBench,
  work: (endpoints: readonly Endpoint[]) => Promise<T>,
  command: readonly string[] = makeServerCommand("http"),
): Promise<T> {
  const started: Endpoint[] = [];
  try {
    const bareServer: Proxy = { role: "bare", name: "bare server", command: () => command };
    const server = await Endpoint.start(bench, bareServer, "");
    started.push(server);
    for (const proxy of listProxies(bench)) {
      started.push(await Endpoint.start(bench, proxy, server.url));
    }
    const result = await work(started);
    for (const endpoint of started.toReversed()) await endpoint.close();
    return result;
  } catch (error) {
    for (const endpoint of started) endpoint.kill();
    throw error;
  }
}

type Meter = Pick<Proxy, "role" | "name"> & {
  readonly executable: string | undefined;
  readonly flags?: readonly string[];
};

function listProxies({ meter, against }: EndpointBench): readonly Proxy[] {
  const meters: readonly Meter[] = [
    { role: "meter", name: "mcp-meter", executable: meter },
    { role: "gated", name: "mcp-meter, gated", executable: meter, flags: ["--budget", hugeBudget] },
    { role: "older", name: "older mcp-meter", executable: against },
  ];
  return [
    { role: "bun", name: "Bun proxy", command: (url) => [...makeServerCommand("http-proxy"), url] },
    ...meters.flatMap(({ role, name, executable, flags = [] }) =>
      executable === undefined ? [] : { role, name, command: makeServeCommand(executable, flags) },
    ),
  ];
}

function makeServeCommand(executable: string, flags: readonly string[]): Proxy["command"] {
  return (url, log) => [executable, "serve", "--url", url, "--log", log, ...flags];
}
