/** DNS servers on loopback (RFC 1035), as far as one question over UDP goes. */
import { createSocket } from "node:dgram";

type Type = keyof typeof TYPES;
const TYPES = { A: 1, NS: 2, CNAME: 5, TXT: 16 } as const;

export interface DnsRecord {
  name: string;
  type: Type;
  data: string;
}

export interface DnsServer extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  readonly port: number;
  /** What it knows; changes count from the next question on. */
  readonly records: DnsRecord[];
  /** The questions so far, `TXT example.net`. */
  readonly asked: string[];
}

/** Port 0: a free one. The hosts 127.0.0.1, 127.0.0.2 … have the same ports free more often than not. */
export async function startDns(host = "127.0.0.1", port = 0): Promise<DnsServer> {
  const records: DnsRecord[] = [];
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, type, bytes } = questionOf(query);
    asked.push(`${type ?? "?"} ${name}`);
    const found = answersTo({ name, type }, records);
    const known = found.length > 0 || records.some((record) => record.name === name);
    socket.send(
      Buffer.concat([header(query, { count: found.length, known }), bytes, ...found.map(encoded)]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(port, host, resolve);
  });
  const { port: bound } = socket.address();
  return {
    ...{ address: `${host}:${bound}`, port: bound, records, asked },
    [Symbol.asyncDispose]: async () =>
      new Promise((closed) => {
        socket.close(closed);
      }),
  };
}

/** As a resolver answers: a CNAME with what it leads to. */
function answersTo({ name, type }: { name: string; type: Type | undefined }, all: readonly DnsRecord[]): DnsRecord[] {
  const own = all.filter((record) => record.name === name);
  const alias = type === "CNAME" ? undefined : own.find((record) => record.type === "CNAME");
  if (alias === undefined) return own.filter((record) => record.type === type);
  return [alias, ...answersTo({ name: alias.data, type }, all)];
}

/** Behind the header: a name in labels, a type, a class. */
function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const number = query.readUInt16BE(at + 1);
  const [type] = Object.entries(TYPES).find(([, value]) => value === number) ?? [];
  return {
    name: labels.join(".").toLowerCase(),
    type: type as Type | undefined,
    bytes: query.subarray(12, at + 5),
  };
}

function header(query: Buffer, { count, known }: { count: number; known: boolean }): Buffer {
  const bytes = Buffer.alloc(12);
  query.copy(bytes, 0, 0, 2); // the id
  bytes.writeUInt16BE(0x8580 | (known ? 0 : 3), 2); // an answer, of an authority, recursive; 3: no such name
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt16BE(count, 6);
  return bytes;
}

function encoded({ name, type, data }: DnsRecord): Buffer {
  const value =
    type === "A"
      ? Buffer.from(data.split(".").map(Number))
      : type === "TXT"
        ? Buffer.concat([Buffer.from([data.length]), Buffer.from(data)])
        : inLabels(data);
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(TYPES[type], 0);
  fields.writeUInt16BE(1, 2); // the internet
  fields.writeUInt32BE(60, 4); // seconds to live
  fields.writeUInt16BE(value.length, 8);
  return Buffer.concat([inLabels(name), fields, value]);
}

const inLabels = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);
