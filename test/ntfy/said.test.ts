/** What a publish reads of a query and of JSON at an address of ntfy: all that is about the message, and nothing else. */
import { expect, test } from "bun:test";
import { headerFields } from "../../src/messages/reading/asides.ts";
import { meaning } from "../../src/messages/reading/meaning.ts";
import { jsonMessage, saidAt } from "../../src/ntfy/said.ts";

const asked = (query: string, headers: Record<string, string> = {}, fields?: Record<string, string>) =>
  Object.fromEntries(saidAt(new Request(`http://peal.test/T?${query}`, { headers }), fields).query);

// prettier-ignore
const rows: [query: string, headers: Record<string, string>, read: object][] = [
  ["title=T&p=5",                       {},                             { title: "T", p: "5" }],
  ["auth=QmFzaWM&authorization=x",      {},                             {}],
  ["X-Title=T&x-Priority=4",            {},                             { title: "T", priority: "4" }],
  ["f=a.txt",                           {},                             { filename: "a.txt" }],
  ["File=a.txt&message=m",              {},                             { filename: "a.txt", message: "m" }],
  ["template=grafana",                  {},                             { rewrite: "alertmanager" }],
  ["tpl=GitHub&title={{.x}}&tags=a",    {},                             { rewrite: "github", tags: "a" }],
  ["tpl=yes&m={{.x}}&p=4",              {},                             { p: "4" }],
  ["t={{.x}}",                          {},                             { t: "{{.x}}" }],
  ["title=T",                           { "X-Template": "alertmanager" }, { rewrite: "alertmanager", title: "T" }],
  ["m={{.x}}",                          { Tpl: "1" },                   {}],
  ["",                                  {},                             {}],
];
test.each(rows)("of the query %s", (query, headers, read) => {
  expect(asked(query, headers)).toEqual(read as Record<string, string>);
});

test("what the path says comes before", () => {
  const { query } = saidAt(new Request("http://peal.test/T/copy?dedup_key=other&sid=third"), { dedup_key: "copy" });
  expect(query.get("dedup_key")).toBe("copy");
});

test("of JSON, its topic and its fields", () => {
  const bytes = Buffer.from(JSON.stringify({ Topic: "t", Message: "m", FileName: "a.txt", file: "b", Priority: 4 }));
  expect(jsonMessage(bytes)).toEqual({ topic: "t", fields: { Message: "m", Priority: 4 } });
});

test("nothing that ntfy has is noted as misspelt, wherever it is said", () => {
  const names =
    "title message priority tags delay timezone actions click attach markdown icon filename email e-mail mail e call cache firebase unifiedpush up poll-id template tpl auth authorization sequence-id";
  const { query } = saidAt(new Request(`http://peal.test/T?${names.replaceAll(/ |$/g, "=1&")}`));
  expect(
    meaning(Object.fromEntries(query), (name) => name).ignored.filter(({ message }) =>
      message.includes("did you mean"),
    ),
  ).toEqual([]);
  const headers = new Headers(names.split(" ").map((name): [string, string] => [`X-${name}`, "1"]));
  const said = meaning(headerFields(headers).fields, (name) => name);
  expect(said.ignored.filter(({ message }) => message.includes("did you mean"))).toEqual([]);
  const { fields } = jsonMessage(
    Buffer.from(JSON.stringify(Object.fromEntries([["topic", "t"], ...names.split(" ").map((name) => [name, "1"])]))),
  );
  expect(
    meaning(fields, (name) => name)
      .ignored.filter(({ message }) => message.includes("did you mean"))
      .map(({ path }) => path),
  ).toEqual(["auth"]);
});
