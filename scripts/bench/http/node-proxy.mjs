import { Agent, createServer, request } from "node:http";
const target = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const proxy = createServer((asked, answer) => {
  const { method, headers } = asked;
  const asking = request(target, { method, headers, agent }, (answered) => {
    answer.writeHead(answered.statusCode, answered.headers);
    answered.pipe(answer);
  });
  asked.pipe(asking);
});
proxy.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${proxy.address().port}${target.pathname}`);
});
