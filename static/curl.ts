/** A message as the command that publishes it. */

/** What a publisher sends; the rest of a message is the server's (API.md §3). */
const SENT = [
  "title",
  "message",
  "level",
  "priority",
  "format",
  "tags",
  "url",
  "image",
  "actions",
  "dedup_key",
  "status",
  "ack",
];
const USUAL = new Map([
  ["level", "info"],
  ["priority", "normal"],
  ["format", "text"],
]);

interface Message {
  namespace: string;
  topic_name: string;
  [field: string]: unknown;
}

/** `link`: that of the message's card. The key is not known here: `$KEY`. Rejects when the server does not answer. */
export async function curlOf(link: URL): Promise<string> {
  const base = document.documentElement.dataset["base"] ?? "";
  const address = new URL(`${base}/v1${link.pathname.slice(base.length)}/messages${link.search}&limit=1`, link);
  const { messages } = (await (await fetch(address)).json()) as { messages: Message[] };
  const [message] = messages;
  if (!message) throw new Error("there is no message any more");
  const sent = SENT.filter((field) => message[field] !== undefined && message[field] !== USUAL.get(field));
  const body = JSON.stringify(Object.fromEntries(sent.map((field) => [field, message[field]])));
  const lines = [
    'curl -H "Authorization: Bearer $KEY"',
    "-H 'Content-Type: application/json'",
    `-d '${body.replaceAll("'", "'\\''")}'`,
    new URL(`${base}/${message.namespace}/${message.topic_name}`, link).href,
  ];
  return lines.join(" \\\n  ");
}
