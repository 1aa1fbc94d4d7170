const exitUsage = 2;

export async function runCommand(
  usage: string,
  run: (rawArguments: readonly string[]) => Promise<number>,
): Promise<number> {
  const rawArguments = process.argv.slice(2);
  if (rawArguments.includes("--help")) {
    console.log(usage);
    return 0;
  }
  try {
    return await run(rawArguments);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return exitUsage;
  }
}
