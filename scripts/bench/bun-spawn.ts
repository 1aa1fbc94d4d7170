// The smallest wrapper that Bun can compile: a server that inherits our stdin and stdout. Nothing passes through it.
const { exited } = Bun.spawn({
  cmd: process.argv.slice(2),
  stdio: ["inherit", "inherit", "inherit"],
});
process.exit(await exited);
