import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { executable } from "./servers.ts";
import { waitMaxMs } from "./wait.ts";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export class Dash implements AsyncDisposable {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "ignore">;
  readonly url: string;

  private constructor(child: Bun.Subprocess<"ignore", "pipe", "ignore">, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(
    env: Readonly<Record<string, string | undefined>>,
    ...options: readonly string[]
  ): Promise<Dash> {
    const child = Bun.spawn([executable(), "dash", "--timezone", "UTC", ...options], {
      env: { ...process.env, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    let text = "";
    for await (const chunk of child.stdout) {
      text += new TextDecoder().decode(chunk);
      if (text.includes("\n")) break;
    }
    return new Dash(child, text.trim());
  }

  get port(): string {
    return new URL(this.url).port;
  }

  get pid(): number {
    return this.#child.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

export function startBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: Bun.which("chromium") ?? "chromium",
    args: [...flags, ...more],
  });
}

export type Tab = { readonly page: Page; readonly faults: readonly string[] };

export async function openTab(
  browser: Browser,
  url: string,
  look: { readonly width?: number; readonly scheme?: "light" | "dark" } = {},
): Promise<Tab & AsyncDisposable> {
  const { width = 1280, scheme = "light" } = look;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const faults: string[] = [];
  const own = new URL(url).host;
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => void faults.push(String(error)));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol !== "data:" && host !== own) faults.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  await waitUntilLive(page);
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

export async function waitUntilLive(page: Page): Promise<void> {
  await page.locator('[data-connection="live"]').waitFor();
  await page.locator('main[aria-busy="false"]').waitFor();
}

export async function visit(page: Page, address: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await waitUntilLive(page);
}

export async function findViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))",
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

export function rowsOf(page: Page, table: string): Promise<Readonly<Record<string, string>>[]> {
  return page.evaluate(`
    [...document.querySelectorAll("#${table} tbody tr[data-key]")].map((row) =>
      Object.fromEntries(
        [...row.cells].map((cell, at) => [
          cell.getAttribute("data-column") ?? (at === 0 ? "name" : ""),
          cell.textContent.trim(),
        ]),
      ),
    )`);
}

export async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + waitMaxMs;
  while (!(await look())) {
    if (performance.now() > endMs) throw new Error(`not in time: ${what}`);
    await Bun.sleep(50);
  }
}
