import { compact, durationText } from "./format.ts";

export type Tick = { readonly value: number; readonly label: string };

export function countTicks(most: number, count: number): Tick[] {
  if (most <= 0) return [];
  const raw = Math.max(1, most / Math.max(1, count));
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = magnitude * ([1, 2, 5, 10].find((factor) => factor * magnitude >= raw) ?? 10);
  const ticks: Tick[] = [];
  for (let value = 0; value <= most; value += step) ticks.push({ value, label: compact(value) });
  return ticks;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const timeSteps = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * second),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * day),
];

export function timeTicks(most: number, count: number): Tick[] {
  const raw = most / Math.max(1, count);
  const step = timeSteps.find((one) => one >= raw) ?? 90 * day;
  const ticks: Tick[] = [];
  for (let value = 0; value <= most && ticks.length < 100; value += step) {
    ticks.push({ value, label: value === 0 ? "0" : durationText(value) });
  }
  return ticks;
}

export function decadeTicks(least: number, most: number, label: (value: number) => string): Tick[] {
  const from = Math.floor(Math.log10(Math.max(1, Math.min(least, most))));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(1, most))));
  return Array.from({ length: to - from + 1 }, (_, at) => {
    const value = 10 ** (from + at);
    return { value, label: label(value) };
  });
}

export function logPlace(value: number, ticks: readonly Tick[]): number {
  const [first, last] = [ticks[0]?.value ?? 1, ticks.at(-1)?.value ?? 10];
  const place = Math.log(Math.max(value, first) / first) / Math.log(last / first);
  return Math.min(1, place);
}

export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
