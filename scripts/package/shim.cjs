#!/usr/bin/env node
// The command that npm installs: finds the executable in the package for this platform and replaces itself with it.
// Node loads this file in every session, so it is plain and loads as little as possible.
"use strict";
const { accessSync, constants, existsSync, readFileSync } = require("node:fs");
const { name } = require("../package.json");

/** Exit code of a failure of mcp-meter itself. */
const failure = 125;

/** Signals that end or stop a session; Windows sends them to a group by itself. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGCONT"];

const isWindows = process.platform === "win32";

const platform = `${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;

const file = findExecutable(`${name}-${platform}/bin/mcp-meter${isWindows ? ".exe" : ""}`);

if (platform.endsWith("-musl")) warnAboutLibraries();

const args = process.argv.slice(2);
if (!isWindows && typeof process.execve === "function") replaceProcess();
else spawnExecutable();

function isMusl() {
  if (process.platform !== "linux") return false;
  try {
    return readFileSync("/usr/bin/ldd", "latin1").includes("musl");
  } catch {
    return !process.report?.getReport().header.glibcVersionRuntime;
  }
}

function findExecutable(path) {
  try {
    return require.resolve(path);
  } catch {
    const { optionalDependencies = {} } = require("../package.json");
    const isBuilt = Object.hasOwn(optionalDependencies, `${name}-${platform}`);
    fail(
      isBuilt
        ? `the package ${name}-${platform} is missing; install ${name} again on this machine, with its optional dependencies`
        : `there is no executable for ${platform}`,
    );
  }
}

/** The executable for musl needs two libraries, and its loader's own message is less clear. */
function warnAboutLibraries() {
  const folders = ["/usr/lib", "/lib"];
  if (folders.some((folder) => existsSync(`${folder}/libstdc++.so.6`))) return;
  process.stderr.write(
    "mcp-meter: libstdc++ may be missing; on Alpine: apk add libstdc++ libgcc\n",
  );
}

/** This process continues as the executable, with its id, its descriptors and its environment. */
function replaceProcess() {
  try {
    // If the file cannot be executed, `execve` prints a stack and ends with SIGABRT.
    accessSync(file, constants.X_OK);
    process.execve(file, [file, ...args], process.env);
  } catch (error) {
    fail(`${file} cannot be executed: ${error.code ?? error.message}`);
  }
}

function spawnExecutable() {
  const { spawn } = require("node:child_process");
  let child;
  // Installed before the program starts: an early signal must reach it, not end only this process.
  const listeners = (isWindows ? ["SIGINT"] : signals).map((signal) => {
    const listener = () => isWindows || child.kill(signal);
    process.on(signal, listener);
    return [signal, listener];
  });
  child = spawn(file, args, { stdio: "inherit" });
  child.on("error", (error) => fail(`${file} cannot be executed: ${error.code}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const [forwarded, listener] of listeners) process.off(forwarded, listener);
    process.kill(process.pid, signal);
    // In case the signal does not end this process, for example because its parent ignores it.
    setTimeout(() => process.exit(failure), 1000);
  });
}

function fail(sentence) {
  process.stderr.write(`mcp-meter: ${sentence}\n`);
  process.exit(failure);
}
