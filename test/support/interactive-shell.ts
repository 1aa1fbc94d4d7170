import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./wait.ts";

export type CompletingShell = AsyncDisposable & {
  /** The candidates for the last word of a line, unquoted and sorted; of `--name=value` the values alone. */
  complete(line: string): Promise<readonly string[]>;
};

type Place = {
  readonly home: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
};

const keys = "\u0018a\u0018d";

const [begin, end] = ["BEGIN:", ":END"];

const setups = {
  bash: `PS1='ready '
bind 'set bell-style none'
show() { printf '\\n%s%s%s\\n' '${begin}' "$READLINE_LINE" '${end}'; READLINE_LINE=; READLINE_POINT=0; }
bind -x '"\\C-xd": show'
bind '"\\C-xa": insert-completions'
`,
  zsh: `PS1='ready '
autoload -Uz compinit
compinit -D -u
insert-all() { _main_complete; compstate[insert]=all; compstate[list]=; }
zle -C insert-all complete-word insert-all
bindkey '^Xa' insert-all
show() { print -r -- '${begin}'"$BUFFER"'${end}'; BUFFER=; zle reset-prompt; }
zle -N show
bindkey '^Xd' show
`,
} as const;

export async function interactiveShell(
  name: keyof typeof setups,
  { home, script, env }: Place,
): Promise<CompletingShell> {
  const setup = join(home, `${name}.setup`);
  writeFileSync(setup, `${setups[name]}source '${script}'\necho set''up\n`);
  let output = "";
  const words = name === "bash" ? ["bash", "--noprofile", "--norc", "-i"] : ["zsh", "-f", "-i"];
  const shell = Bun.spawn(words, {
    cwd: home,
    env: { ...env, HOME: home, TERM: "dumb" },
    terminal: {
      cols: 4_000,
      rows: 50,
      data: (_terminal, data) => void (output += Buffer.from(data)),
    },
  });
  const { terminal } = shell;
  terminal?.write(`source '${setup}'\n`);
  await eventually(
    () => `${name} is set up: ${output}`,
    () => output.includes("setup\r\n"),
  );
  return {
    async complete(line) {
      output = "";
      terminal?.write(`${line}${keys}`);
      const pattern = new RegExp(`${begin}([^]*)${end}`);
      const found = await eventually(
        () => `${name} completes ${line}: ${output}`,
        () => pattern.exec(output)?.[1],
      );
      return continued(line, found);
    },
    async [Symbol.asyncDispose]() {
      shell.kill("SIGKILL");
      await shell.exited;
      terminal?.close();
    },
  };
}

export function fishShell({ home, script, env }: Place): CompletingShell {
  return {
    async complete(line) {
      const code = "source $argv[1]; complete -C $argv[2]";
      const { stdout } = Bun.spawnSync(["fish", "--no-config", "-c", code, "--", script, line], {
        cwd: home,
        env: { ...env, HOME: home },
      });
      const words = stdout
        .toString()
        .split("\n")
        .filter((row) => row !== "");
      return unique(words.map((row) => withoutOption(row.split("\t")[0] ?? "")));
    },
    async [Symbol.asyncDispose]() {},
  };
}

function continued(line: string, found: string): readonly string[] {
  const from = line.lastIndexOf(" ") + 1;
  const words = found.slice(from).match(/(?:\\.|[^\s\\])+/g) ?? [];
  const isUntouched = found === line;
  return isUntouched
    ? []
    : unique(words.map((word) => withoutOption(word.replaceAll(/\\(.)/g, "$1"))));
}

function withoutOption(word: string): string {
  return word.replace(/^--[a-z-]+=(?=.)/, "").replace(/=$/, "");
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)].toSorted();
}
