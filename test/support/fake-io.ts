import type { Io, LenientWriter } from "#kit/io.ts";

type Terminal = { readonly isTerminal: boolean; readonly columns: number | undefined };

export function fakeIo(
  settings: Partial<Pick<Io, "argv" | "env">> & {
    readonly stdout?: Partial<Terminal>;
    readonly stderr?: Partial<Terminal>;
  } = {},
) {
  const out: string[] = [];
  const err: string[] = [];
  const io: Io = {
    argv: settings.argv ?? [],
    env: settings.env ?? {},
    stdout: writerTo(out, settings.stdout),
    stderr: writerTo(err, settings.stderr),
    pid: 1,
    parentPid: 1,
    platform: "linux",
    validatorCommand: [],
    signals: { listen: () => () => undefined, send: () => false },
  };
  return { io, stdout: () => out.join(""), stderr: () => err.join("") };
}

function writerTo(
  into: string[],
  { isTerminal = false, columns = 100 }: Partial<Terminal> = {},
): LenientWriter {
  return {
    write: (text) => into.push(text),
    flush: () => undefined,
    isTerminal,
    measureColumns: async () => columns,
  };
}
