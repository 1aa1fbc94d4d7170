const target = new URL(process.argv[2] ?? "");

const proxy = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch: async ({ method, headers, body }) =>
    fetch(target, { method, headers, body, decompress: false, redirect: "manual" }),
});
console.log(`http://127.0.0.1:${proxy.port}${target.pathname}`);
