type Written = string | Uint8Array;

const ascii = (text: string, bytes: (code: number) => readonly number[]): Uint8Array =>
  Uint8Array.from([...text].flatMap((sign) => bytes(sign.charCodeAt(0))));

/** The same ASCII text in the encodings that some programs detect. */
const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  "utf-16le": (text) => ascii(text, (code) => [code, 0]),
  "utf-16be": (text) => ascii(text, (code) => [0, code]),
  "utf-32le": (text) => ascii(text, (code) => [code, 0, 0, 0]),
  "utf-32be": (text) => ascii(text, (code) => [0, 0, 0, code]),
  "utf-16le-mark": (text) =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]),
  "utf-16be-mark": (text) => Uint8Array.from([0xfe, 0xff, ...ascii(text, (code) => [0, code])]),
  "utf-32le-mark": (text) =>
    Uint8Array.from([0xff, 0xfe, 0, 0, ...ascii(text, (code) => [code, 0, 0, 0])]),
  "utf-8-mark": (text) => Buffer.from(`\uFEFF${text}`),
};

function encoded<T>(
  make: (encode: (text: string) => Uint8Array) => T,
): Readonly<Record<string, T>> {
  const all = Object.entries(encodings).map(([name, encode]): [string, T] => [name, make(encode)]);
  return Object.fromEntries(all);
}

const withBadByte = (text: string): Uint8Array =>
  Buffer.from(text.replaceAll("¿", "\xff"), "latin1");

const forbiddenTool = "delete_all";
const free = '"params":{"name":"free","arguments":{}}';
const forbidden = `"params":{"name":"${forbiddenTool}","arguments":{}}`;
const rpc = (members: string): string => `{"jsonrpc":"2.0",${members}}`;
const calls = (id: number, members: string): string =>
  rpc(`"id":${id},"method":"tools/call",${members}`);
const nested = `${"[".repeat(300)}${"]".repeat(300)}`;

export type RequestForm = {
  readonly write: (id: number) => Written;
  readonly isAnswered: boolean;
};

const answered = (write: RequestForm["write"]): RequestForm => ({ write, isAnswered: true });
const silent = (write: RequestForm["write"]): RequestForm => ({ write, isAnswered: false });

export const requestForms: Readonly<Record<string, RequestForm>> = {
  plain: answered((id) => calls(id, forbidden)),
  "Name beside name": answered((id) =>
    calls(id, `"params":{"name":"free","Name":"${forbiddenTool}"}`),
  ),
  "Name before name": answered((id) =>
    calls(id, `"params":{"NAME":"${forbiddenTool}","name":"free"}`),
  ),
  "Name alone": answered((id) => calls(id, `"params":{"Name":"${forbiddenTool}"}`)),
  "name twice": answered((id) => calls(id, `"params":{"name":"${forbiddenTool}","name":"free"}`)),
  "name escaped and plain": answered((id) =>
    calls(id, `"params":{"n\\u0061me":"${forbiddenTool}","name":"free"}`),
  ),
  "name with a bad byte": answered((id) =>
    withBadByte(calls(id, `"params":{"na¿me":"${forbiddenTool}","name":"free"}`)),
  ),
  "tool with a bad byte": answered((id) =>
    withBadByte(calls(id, `"params":{"name":"delete¿_all"}`)),
  ),
  "tool with U+0000": answered((id) => calls(id, `"params":{"name":"${forbiddenTool}\\u0000x"}`)),
  "deep, tool with U+0000": answered((id) =>
    calls(id, `"params":{"name":"${forbiddenTool}\\u0000x","arguments":{"x":${nested}}}`),
  ),
  "tool in capitals": answered((id) => calls(id, `"params":{"name":"Delete_ALL"}`)),
  "tool with a blank and U+200B": answered((id) =>
    calls(id, `"params":{"name":"${forbiddenTool}\\u200b "}`),
  ),
  "tool in wide letters": answered((id) => calls(id, `"params":{"name":"\uff44elete_all"}`)),
  "tool in a list": answered((id) => calls(id, `"params":{"name":["${forbiddenTool}"]}`)),
  "params in a list": answered((id) => calls(id, `"params":["${forbiddenTool}",{}]`)),
  "Params beside params": answered((id) => calls(id, `${free},"P${forbidden.slice(2)}`)),
  "params with a long s": answered((id) => calls(id, `${free},"param\u017f${forbidden.slice(7)}`)),
  "params twice": answered((id) => calls(id, `${forbidden},${free}`)),
  "method in another case": answered((id) =>
    rpc(`"id":${id},"method":"ping","Method":"tools/call",${forbidden}`),
  ),
  "method in capitals": answered((id) => rpc(`"id":${id},"METHOD":"tools/call",${forbidden}`)),
  "the method's value in another case": answered((id) =>
    rpc(`"id":${id},"method":"Tools/Call",${forbidden}`),
  ),
  "deep, the method's value with a blank": answered((id) =>
    rpc(`"id":${id},"method":"tools/call ",${forbidden},"x":${nested}`),
  ),
  "method twice": answered((id) =>
    rpc(`"id":${id},"method":"tools/call","method":"ping",${forbidden}`),
  ),
  "id twice": silent((id) => calls(id, `${forbidden},"id":${id}`)),
  "id in capitals": silent((id) => rpc(`"ID":${id},"method":"tools/call",${forbidden}`)),
  "id true": silent(() => rpc(`"id":true,"method":"tools/call",${forbidden}`)),
  "id in a list": silent(() => rpc(`"id":[5],"method":"tools/call",${forbidden}`)),
  "id null": silent(() => rpc(`"id":null,"method":"tools/call",${forbidden}`)),
  "no jsonrpc": answered((id) => `{"id":${id},"method":"tools/call",${forbidden}}`),
  "jsonrpc 1.0": answered(
    (id) => `{"jsonrpc":"1.0","id":${id},"method":"tools/call",${forbidden}}`,
  ),
  JSONRPC: answered((id) => `{"JSONRPC":"2.0","id":${id},"method":"tools/call",${forbidden}}`),
  "a result beside": answered((id) => calls(id, `${forbidden},"result":{}`)),
  "an error beside": answered((id) => calls(id, `${forbidden},"error":{"code":1,"message":""}`)),
  "an answer with a Method": answered((id) =>
    rpc(`"id":${id},"result":{},"Method":"tools/call",${forbidden}`),
  ),
  "deep, Name beside name": answered((id) =>
    calls(id, `"params":{"name":"free","x":${nested},"Name":"${forbiddenTool}"}`),
  ),
  "deep, name twice": answered((id) =>
    calls(id, `"params":{"name":"${forbiddenTool}","x":${nested},"name":"free"}`),
  ),
  "deep, params in a list": answered((id) => calls(id, `"params":["${forbiddenTool}",${nested}]`)),
  "element 10,001 of a batch": silent(
    (id) => `[${`${rpc('"method":"notifications/x"')},`.repeat(10_000)}${calls(id, forbidden)}]`,
  ),
  "a batch in a batch": silent((id) => `[[${calls(id, forbidden)}]]`),
  "between two CR": silent((id) =>
    rpc(`"id":${id},"method":"ping","params":{"x":\r${calls(id, forbidden)}\r}`),
  ),
  "deep, between two CR": silent((id) =>
    rpc(`"id":${id},"method":"ping","params":{"y":${nested},"x":\r${calls(id, forbidden)}\r}`),
  ),
  "two messages": silent((id) => `${calls(id, free)}${calls(id, forbidden)}`),
  "a comma too many": silent((id) => `${calls(id, forbidden).slice(0, -1)},}`),
  "behind a comment": silent((id) => `/**/${calls(id, forbidden)}`),
  "behind a space that JSON does not have": silent((id) => `\u00a0${calls(id, forbidden)}`),
  "in several lines": silent((id) => calls(id, forbidden).replaceAll(",", ",\n")),
  ...encoded((encode) => silent((id) => encode(calls(id, forbidden)))),
  "utf-8-mark": answered((id) => `\uFEFF${calls(id, forbidden)}`),
};

const contentOf = (text: string): string => `[{"type":"text","text":"${text}"}]`;
const resultOf = (text: string): string => `{"content":${contentOf(text)}}`;
const answers = (id: number, members: string): string => rpc(`"id":${id},${members}`);

export type AnswerForm = (id: number, text: string) => Written;

export const answerForms: Readonly<Record<string, AnswerForm>> = {
  plain: (id, text) => answers(id, `"result":${resultOf(text)}`),
  "ID and Result": (id, text) => rpc(`"ID":${id},"Result":${resultOf(text)}`),
  "all in capitals": (id, text) => `{"JSONRPC":"2.0","ID":${id},"RESULT":${resultOf(text)}}`,
  "no jsonrpc": (id, text) => `{"Id":${id},"Result":${resultOf(text)}}`,
  "result with a long s": (id, text) => answers(id, `"re\u017fult":${resultOf(text)}`),
  Error: (id, text) => rpc(`"ID":${id},"Error":{"code":-1,"message":"${text}"}`),
  "no jsonrpc, no id, Error": (_, text) => `{"Error":{"code":-1,"message":"${text}"}}`,
  "in a notification": (id, text) =>
    rpc(`"method":"notifications/message","params":{},"ID":${id},"Result":${resultOf(text)}`),
  "Result beside result": (id, text) => answers(id, `"result":{},"Result":${resultOf(text)}`),
  "result twice": (id, text) => answers(id, `"result":${resultOf(text)},"result":{}`),
  "result twice, one escaped": (id, text) =>
    answers(id, `"re\\u0073ult":${resultOf(text)},"result":{}`),
  "id twice": (id, text) => rpc(`"id":${id},"id":"x","result":${resultOf(text)}`),
  "result with a bad byte": (id, text) => withBadByte(answers(id, `"re¿sult":${resultOf(text)}`)),
  Content: (id, text) => answers(id, `"result":{"Content":${contentOf(text)}}`),
  "Content beside content": (id, text) =>
    answers(id, `"result":{"content":[],"Content":${contentOf(text)}}`),
  "content twice": (id, text) =>
    answers(id, `"result":{"content":${contentOf(text)},"content":[]}`),
  "text twice": (id, text) =>
    answers(id, `"result":{"content":[{"type":"text","text":"${text}","text":""}]}`),
  structured_content: (id, text) =>
    answers(id, `"result":{"content":[],"structured_content":{"a":"${text}"}}`),
  StructuredContent: (id, text) =>
    answers(id, `"result":{"content":[],"StructuredContent":{"a":"${text}"}}`),
  "Message of an error": (id, text) =>
    answers(id, `"error":{"code":-1,"message":"","Message":"${text}"}`),
  "deep, Result": (id, text) => rpc(`"ID":${id},"Result":${resultOf(text)},"x":${nested}`),
  "deep, result twice": (id, text) =>
    answers(id, `"result":${resultOf(text)},"result":{"x":${nested}}`),
  "between two CR": (id, text) =>
    rpc(`"method":"x","params":{"x":\r${answers(id, `"result":${resultOf(text)}`)}\r}`),
  "behind words and a CR": (id, text) => `ready\r${answers(id, `"result":${resultOf(text)}`)}`,
  "behind words and U+2028": (id, text) =>
    `ready\u2028${answers(id, `"result":${resultOf(text)}`)}`,
  "behind words and a form feed": (id, text) =>
    `ready\f${answers(id, `"result":${resultOf(text)}`)}`,
  "behind a number": (id, text) => `5 ${answers(id, `"result":${resultOf(text)}`)}`,
  "in several lines": (id, text) =>
    `{\n${answers(id, `"result":${resultOf(text)}`)
      .slice(1)
      .replaceAll(/[,:[]/g, "$&\n")}`,
  "in a batch": (id, text) => `[${rpc(`"ID":${id},"Result":${resultOf(text)}`)}]`,
  ...encoded(
    (encode): AnswerForm =>
      (id, text) =>
        encode(answers(id, `"result":${resultOf(text)}`)),
  ),
};

export const streamForms: Readonly<Record<string, (answer: string) => string>> = {
  "the second line of data": (answer) => `data: x\ndata: ${answer}\n\n`,
  "a line of data inside of a notification": (answer) =>
    `data: {"jsonrpc":"2.0","method":"x","params":[\ndata: ${answer}\ndata: ]}\n\n`,
  "behind a blank": (answer) => ` data: ${answer}\n\n`,
  "before the colon a blank": (answer) => `data : ${answer}\n\n`,
  "in capitals": (answer) => `DATA: ${answer}\n\n`,
  "behind a mark": (answer) => `: x\n\uFEFFdata: ${answer}\n\n`,
  "without a field": (answer) => `: x\n${answer}\n\n`,
  "in a comment, behind U+2028": (answer) => `: x\u2028data: ${answer}\u2028\u2028\n\n`,
  "in a comment, behind a form feed": (answer) => `: x\fdata: ${answer}\f\f\n\n`,
  "in an id, behind U+0085": (answer) => `id: 1\u0085data: ${answer}\ndata: x\n\n`,
  "in a type, behind U+001C": (answer) => `event: message\u001cdata: ${answer}\n\n`,
};
