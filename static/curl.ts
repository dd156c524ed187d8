/** Turns a message into the curl command that publishes it. */

/** The fields that a publisher sends (API.md §3). The server makes the others, or they only hold for that one message. */
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
  "ttl",
  "ack",
  "data",
];
const USUAL = new Map([
  ["level", "info"],
  ["priority", "normal"],
  ["format", "text"],
]);

interface Message {
  id: number;
  namespace: string;
  topic_name: string;
  [field: string]: unknown;
}

/**
 * `link`: the link of the message's card. The command has `$KEY` for the key, which the page does not know. Rejects if the
 * message is gone or the server does not answer.
 */
export async function curlOf(link: URL): Promise<string> {
  const base = document.documentElement.dataset["base"] ?? "";
  const address = new URL(`${base}/v1${link.pathname.slice(base.length)}/messages${link.search}&limit=1`, link);
  const { messages } = (await (await fetch(address)).json()) as { messages: Message[] };
  const [message] = messages;
  // if the message was deleted, the address gives the one before it
  if (!message || link.hash !== `#m${message.id}`) throw new Error("there is no such message any more");
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
