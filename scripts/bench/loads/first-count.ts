// Compiled by tokenizers.ts: prints the milliseconds from nothing loaded to the first count, the smaller
// of wall and processor time.
const began = performance.now();
const cpu = process.cpuUsage();
const { loadTokenizer } = await import("#state/storage/load-tokenizer.ts");
loadTokenizer("o200k_base").count("hello world");
const { user, system } = process.cpuUsage(cpu);
console.log(Math.min(performance.now() - began, (user + system) / 1000));
