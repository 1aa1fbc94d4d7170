import type { ServerCommand } from "../support/servers.ts";
import { forwarderEnv } from "../support/forwarder-env.ts";

export type Lockstep = {
  say(line: string): Promise<void>;
  finish(): Promise<{ readonly stdout: string; readonly code: number }>;
};

const answerWaitMs = 10_000;

function requestId(line: string): unknown {
  const message: unknown = JSON.parse(line);
  if (typeof message !== "object" || message === null || !("id" in message)) return undefined;
  return "method" in message ? message.id : undefined;
}

function answered(text: string, id: unknown): boolean {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.some((line) => {
    if (line === "") return false;
    const message: unknown = JSON.parse(line);
    const isMessage = typeof message === "object" && message !== null;
    return isMessage && "id" in message && !("method" in message) && message.id === id;
  });
}

async function collect(stream: ReadableStream<Uint8Array>, heard: { text: string }): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) heard.text += decoder.decode(chunk, { stream: true });
}

/** Starts `server` to be spoken to one request at a time, so that the order of what it says is its own and not the pipe's. */
export function lockstep(server: ServerCommand): Lockstep {
  const child = Bun.spawn([...server.argv], {
    env: { ...process.env, ...forwarderEnv, ...server.env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const heard = { text: "" };
  const reading = collect(child.stdout, heard);
  return {
    say: async (line) => {
      void child.stdin.write(`${line}\n`);
      await child.stdin.flush();
      const id = requestId(line);
      if (id === undefined) return;
      const deadline = Date.now() + answerWaitMs;
      while (!answered(heard.text, id)) {
        if (Date.now() > deadline) throw new Error(`${server.name} did not answer: ${line}`);
        await Bun.sleep(2);
      }
    },
    finish: async () => {
      await child.stdin.end();
      const killer = setTimeout(() => child.kill("SIGKILL"), answerWaitMs);
      const code = await child.exited;
      clearTimeout(killer);
      await reading;
      return { stdout: heard.text, code };
    },
  };
}
