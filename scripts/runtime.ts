// Replaces two behaviours of Bun that an executable must not have (docs/adr/0028-executable-and-packages.md).

// Variables for a server that runs on Bun must not affect the executable. The server gets them unchanged.
const variables: readonly string[] = [
  "BUN_BE_BUN",
  "BUN_OPTIONS",
  "BUN_INSPECT",
  "BUN_JSC_",
  "BUN_BYTECODE_",
  "BUN_CONFIG_",
  "BUN_CRASH_REPORT_URL",
  "BUN_DESTRUCT_VM_ON_EXIT",
  "BUN_ENABLE_CRASH_REPORTING",
  "BUN_GARBAGE_COLLECTOR_LEVEL",
  "BUN_GC_",
  "BUN_IDLE_GC_SECONDS",
  "BUN_INTERNAL_SUPPRESS_CRASH",
  "BUN_RUNTIME_TRANSPILER_CACHE_PATH",
  "BUN_THREADPOOL_STATS",
];

/** Replaces the B of a variable's name: a shell cannot set a variable with such a name. */
const substitute = "#".charCodeAt(0);

type CodePatch = { readonly find: Buffer; readonly replace: Buffer };

/** `cmp byte [r14], "B"` to `"#"`: `BUN_JSC_…` is compared byte by byte, not as a string. */
const jscComparison: CodePatch = {
  find: Buffer.from("41803e4275e541807e015575de41807e024e75d741807e035f75d041807e044a", "hex"),
  replace: Buffer.from("41803e23", "hex"),
};

/** `test r12, r12; je` to an unconditional jump: r12 is the number of arguments that a crash report prints. */
const argumentsLoop = {
  find: Buffer.from("4d85e40f84", "hex"),
  replace: Buffer.from("4d85e490e9", "hex"),
};

/** Bytes after the reference to the heading "Args: " in which its loop begins. */
const headingReach = 96;

const loadedAt = 0x20_00_00;

export type HardenedRuntime = {
  readonly bytes: Buffer;
  /** False if the machine code was not recognised: another platform, or a build for older processors. */
  readonly isComplete: boolean;
};

export function hardenRuntime(runtime: Uint8Array): HardenedRuntime {
  const bytes = Buffer.from(runtime);
  for (const name of variables) renameVariable(bytes, name);
  const hidesVariable = replaceOnce(bytes, jscComparison);
  const hidesArguments = hideArguments(bytes);
  return { bytes, isComplete: hidesVariable && hidesArguments };
}

function renameVariable(bytes: Buffer, name: string): void {
  let count = 0;
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
    bytes[at] = substitute;
    count += 1;
  }
  if (count === 0) throw new Error(`The runtime has no variable ${name}; examine it again`);
}

// Returns false unless the code occurs exactly once.
function replaceOnce(bytes: Buffer, { find, replace }: CodePatch): boolean {
  const at = bytes.indexOf(find);
  if (at < 0 || bytes.indexOf(find, at + 1) >= 0) return false;
  replace.copy(bytes, at);
  return true;
}

/** Arguments may contain secrets of the server. Returns false if the code is not found. */
function hideArguments(bytes: Buffer): boolean {
  const heading = bytes.indexOf("Args: CPU lacks");
  const reference = Buffer.alloc(5);
  // `mov edx, <address of the heading>`
  reference[0] = 0xba;
  reference.writeUInt32LE(loadedAt + heading, 1);
  const at = bytes.indexOf(reference);
  const loop = bytes.indexOf(argumentsLoop.find, at);
  if (heading < 0 || at < 0 || loop < 0 || loop - at > headingReach) return false;
  argumentsLoop.replace.copy(bytes, loop);
  return true;
}
