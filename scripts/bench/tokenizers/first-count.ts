// Compiled by executable.ts: prints the milliseconds from nothing loaded to the first count.
const began = performance.now();
const { tokenizerFor } = await import("#shell/vocabulary.ts");
tokenizerFor("o200k_base").count("hello world");
console.log(performance.now() - began);
