import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setBounded } from "#kit/limits.ts";
import { attempt } from "#kit/errors.ts";
import { sha256 } from "#kit/os/hash.ts";
import { isWildcard } from "#kit/text/match-names.ts";
import { type Budget, isShared } from "#meter/budgets/budget.ts";
import { computeRefill, computeWindow } from "#meter/budgets/windows.ts";
import type { AlertRecord, BreachRecord, MeterRecord } from "#records/record.ts";
import type { RedisLocation } from "../stores/redis/address.ts";
import { RedisConnection } from "../stores/redis/connection.ts";
import { RedisKeys } from "../stores/redis/counter-script.ts";

// An alert that several meters could give. Only one meter gives it in each window; `endsMs` is the window's end.
export type SharedAlert = { readonly key: string; readonly endsMs: number };

type SharedAlertSetting = {
  readonly budgets: readonly Budget[];
  readonly warnAtPercent: number;
  // Replaces the server's label in counter keys.
  readonly counterOwner: string | undefined;
  readonly user: string; // the user in counter keys, unless the record names another
};

/** Undefined if the record gives no alert, or if its alert concerns only this session. */
export function findSharedAlert(
  record: MeterRecord,
  { budgets, warnAtPercent, counterOwner, user }: SharedAlertSetting,
): SharedAlert | undefined {
  if (record.type !== "alert" && record.type !== "breach") return undefined;
  const budget = budgets.find(({ spec }) => spec === record.budget);
  if (!budget) return undefined;
  const server = budget.isOverall ? null : (counterOwner ?? record.server);
  const cause = nameCause(record, budget.warnAtPercent ?? warnAtPercent);
  if (cause === "unknown_tool") return makeShared([server, budget.spec], "day", record);
  if (!isShared(budget)) return undefined;
  const tool = isWildcard(budget.tool ?? "") ? record.tool : budget.tool;
  const { unit, per, limit } = budget;
  const parts = [server, tool, budget.tool, unit, limit, cause];
  return makeShared([...parts, ...listUsers(budget, record.user ?? user)], per, record);
}

function listUsers({ owner }: Budget, user: string): readonly string[] {
  return owner === "user" ? [user] : [];
}

function nameCause(record: AlertRecord | BreachRecord, warnAtPercent: number): string {
  if (record.type === "breach") return "exceeded";
  return record.alert === "unknown_tool" ? record.alert : `${warnAtPercent}%`;
}

function makeShared(
  parts: readonly (string | number | null)[],
  per: Budget["per"],
  { ts }: Pick<MeterRecord, "ts">,
): SharedAlert | undefined {
  if (per === "call" || per === "session") return undefined;
  const nowMs = Date.parse(ts);
  const key = JSON.stringify([...parts, per, computeWindow(per, nowMs)]);
  return { key, endsMs: computeRefill(per, nowMs) };
}

// `claimed`: another meter is about to give the alert, or was killed.
export type ClaimState = "ours" | "claimed" | "given";

// Never throws: if a claim cannot be stored, every meter gives the alert.
export type AlertClaims = {
  readonly claim: (alert: SharedAlert) => Promise<ClaimState>;
  readonly confirm: (alert: SharedAlert) => Promise<void>;
  readonly close: () => void;
};

/** Undefined if neither Redis nor a folder is available. Each meter then gives all its alerts. */
export function openAlertClaims(
  folder: string | undefined,
  redis: RedisLocation | undefined,
): AlertClaims | undefined {
  if (redis) return new RedisClaims(redis);
  return folder === undefined ? undefined : new FileClaims(join(folder, "alerts"));
}

// A meter that has claimed an alert starts the alert's command within this time, unless the meter is killed.
export const claimLeaseMs = 5_000;

// Claims of an alert are numbered. If a killed meter has left its claim behind, the next meter takes the next number.
const claimsPerAlertMax = 10;

// How far the clocks of meters may differ.
const claimGraceMs = 3_600_000;

const claimsRememberedMax = 1_000;

// Files with other names are not ours to remove.
const claimName = /^\d+-[\da-f]{32}-\d$/;

// Each claim is a file, which stays empty until the alert is given.
class FileClaims implements AlertClaims {
  readonly #folder: string;
  readonly #paths = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  claim(alert: SharedAlert): Promise<ClaimState> {
    return Promise.resolve(attempt(() => this.#claim(alert), "ours"));
  }

  confirm({ key }: SharedAlert): Promise<void> {
    const path = this.#paths.get(key);
    if (path !== undefined) attempt(() => writeFileSync(path, "given\n", { flag: "r+" }));
    return Promise.resolve();
  }

  close(): void {
    this.#paths.clear();
  }

  #claim({ key, endsMs }: SharedAlert): ClaimState {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#removeExpired();
    const prefix = `${endsMs}-${sha256(key).slice(0, 32)}`;
    for (let number = 0; number < claimsPerAlertMax; number += 1) {
      const path = join(this.#folder, `${prefix}-${number}`);
      const state = claimFile(path);
      if (state === "ours") setBounded(this.#paths, key, path, claimsRememberedMax);
      if (state !== undefined) return state;
    }
    return "given";
  }

  #removeExpired(): void {
    const expiredMs = Date.now() - claimGraceMs;
    for (const name of readdirSync(this.#folder)) {
      const isExpired = claimName.test(name) && Number.parseInt(name, 10) < expiredMs;
      if (isExpired) rmSync(join(this.#folder, name), { force: true });
    }
  }
}

// Undefined if a claim's lease has ended without the alert: the claiming meter was killed.
function claimFile(path: string): ClaimState | undefined {
  const fd = attempt(() => openSync(path, "wx", 0o600));
  if (fd !== undefined) {
    closeSync(fd);
    return "ours";
  }
  const { size, mtimeMs } = lstatSync(path);
  if (size > 0) return "given";
  return Date.now() - mtimeMs < claimLeaseMs ? "claimed" : undefined;
}

class RedisClaims implements AlertClaims {
  readonly #location: RedisLocation;
  readonly #keys: RedisKeys;
  #opening: Promise<RedisConnection> | undefined;

  constructor(location: RedisLocation) {
    this.#location = location;
    this.#keys = new RedisKeys(location.fleet);
  }

  async claim({ key }: SharedAlert): Promise<ClaimState> {
    const redisKey = this.#keys.alert(key);
    const lease = ["NX", "PX", String(claimLeaseMs)];
    // Null if another meter has set the key; undefined if the command failed.
    const reply = await this.#send(["SET", redisKey, "claimed", ...lease]);
    if (reply !== null) return "ours";
    const state = await this.#send(["GET", redisKey]);
    return state === "given" ? "given" : "claimed";
  }

  async confirm({ key, endsMs }: SharedAlert): Promise<void> {
    const ttlMs = Math.max(0, endsMs - Date.now()) + claimGraceMs;
    await this.#send(["SET", this.#keys.alert(key), "given", "PX", String(ttlMs)]);
  }

  close(): void {
    void this.#opening?.then((connection) => connection.close()).catch(() => undefined);
  }

  async #send(words: readonly string[]): Promise<unknown> {
    try {
      this.#opening ??= RedisConnection.open(this.#location);
      return await (await this.#opening).send(words);
    } catch {
      this.close();
      this.#opening = undefined;
      return undefined;
    }
  }
}
