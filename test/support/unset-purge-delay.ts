// `bun run tests` keeps the memory that garbage collections free, which takes a quarter off the unit tests. Programs that
// tests start run as users run them.
delete process.env["MIMALLOC_PURGE_DELAY"];
