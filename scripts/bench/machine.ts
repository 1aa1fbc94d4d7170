import { cpus, loadavg, release, totalmem } from "node:os";
import { execa } from "execa";

/** Said of a run without the C tee, so that its missing row is explained. */
const withoutTee = "no C compiler, so no C tee";

/** `AMD EPYC, 2 cores, 25.3 GB, Linux 6.18, Bun 1.4.5, Node 20.20.2, load 0.1 before the run`: enough to judge figures by. */
export async function describeMachine(tee: string | undefined): Promise<string> {
  const { stdout: nodeVersion } = await execa("node", ["--version"]);
  const [first] = cpus();
  return [
    first?.model.trim() ?? "unknown processor",
    `${cpus().length} cores`,
    `${(totalmem() / 1e9).toFixed(1)} GB`,
    `Linux ${release().split(".").slice(0, 2).join(".")}`,
    `Bun ${Bun.version}`,
    `Node ${nodeVersion.replace("v", "")}`,
    ...(tee === undefined ? [withoutTee] : []),
    `load ${loadavg()[0]?.toFixed(1)} before the run`,
  ].join(", ");
}
