import { readdirSync, readFileSync } from "node:fs";

export const markName = "FAULT_SESSION";

export function processesOf(mark: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && environmentOf(pid).includes(`${markName}=${mark}`));
}

function environmentOf(pid: number): string {
  return readProc(pid, "environ");
}

export function stateOf(pid: number): string {
  return /^State:\s+(\w)/m.exec(readProc(pid, "status"))?.[1] ?? "";
}

export function membersOf(group: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      const stat = pid > 0 ? readProc(pid, "stat") : "";
      const [state = "", , pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(pgrp) === group && !["Z", "X"].includes(state);
    });
}

export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readProc(pid, "status");
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

export function isGone(pid: number): boolean {
  return ["", "Z", "X"].includes(stateOf(pid));
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
