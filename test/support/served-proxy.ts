import { forwarderEnv } from "./forwarder-env.ts";
import { Folder } from "./folder.ts";
import { logsBelow, type LogRecord, readLog } from "./records.ts";
import { executable } from "./servers.ts";
import { StartedProcess } from "./started-process.ts";

type Surroundings = {
  readonly folder?: Folder;
  readonly env?: Readonly<Record<string, string>>;
};

export class ServedProxy implements Disposable {
  readonly started: StartedProcess;
  readonly folder: Folder;
  readonly #isOwn: boolean;
  #url: URL | undefined;

  private constructor(url: string, words: readonly string[], { folder, env = {} }: Surroundings) {
    this.folder = folder ?? new Folder();
    this.#isOwn = folder === undefined;
    const { path } = this.folder;
    const home = { HOME: path, XDG_STATE_HOME: path, XDG_CONFIG_HOME: path };
    const summary = words.includes("--summary") ? [] : ["--summary", "off"];
    const argv = [executable(), "serve", "--url", url, ...summary, ...words];
    this.started = new StartedProcess(argv, { ...home, ...forwarderEnv, ...env });
  }

  static async start(
    url: string,
    words: readonly string[] = [],
    surroundings: Surroundings = {},
  ): Promise<ServedProxy> {
    const one = new ServedProxy(url, words, surroundings);
    one.#url = new URL(await one.started.firstLine());
    return one;
  }

  get url(): URL {
    if (!this.#url) throw new Error("it is not started");
    return this.#url;
  }

  async records(type: string): Promise<readonly LogRecord[]> {
    const code = await this.started.end();
    if (code !== 0) throw new Error(`it ended with ${code}: ${this.started.err}`);
    const { records } = readLog(...logsBelow(this.folder.path));
    return records.filter((record) => record.type === type);
  }

  [Symbol.dispose](): void {
    this.started[Symbol.dispose]();
    if (this.#isOwn) this.folder[Symbol.dispose]();
  }
}
