/** Hand-written HTTP, for requests that no client would send. */
import { connect } from "node:net";

/** A request as text; with a body its length is added. */
export const rawRequest = (method: string, target: string, headers: Record<string, string> = {}, body = ""): string =>
  [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries({
      host: "peal.test",
      ...(body !== "" && { "content-length": String(body.length) }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
    "",
    body,
  ].join("\r\n");

/** A body without a Content-Length. A Blob's stream is not enough, because Bun sends the length of the Blob. */
export const unannounced = (body: string | Uint8Array): ReadableStream =>
  new Blob([body]).stream().pipeThrough(new TransformStream());

/** Writes `text` and resolves to everything that was answered once `isDone` is true, or the server has closed the connection. */
export async function converse(
  url: string,
  text: string | Uint8Array,
  isDone: (heard: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let heard = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on("data", (data) => {
      heard += data.toString("latin1");
      if (isDone(heard)) socket.destroy();
    });
    socket.on("error", (error) => {
      if (heard === "") reject(error);
    });
    socket.on("close", () => {
      resolve(heard);
    });
  });
}

/** Writes each request after the answer to the previous one, all on one connection; resolves to the answers. */
export async function inTurn(url: string, requests: readonly (string | Uint8Array)[]): Promise<string[]> {
  const { hostname, port } = new URL(url);
  const heard: string[] = [];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(requests[0] ?? ""));
    let current = "";
    socket.on("data", (data) => {
      current += data.toString("latin1");
      if (!isWhole(current)) return;
      heard.push(current);
      current = "";
      const next = requests[heard.length];
      if (next === undefined) socket.destroy();
      else socket.write(next);
    });
    socket.on("error", reject);
    socket.on("close", () => {
      resolve(heard);
    });
  });
}

/** Whether an answer has all of the body that its head announces. */
export function isWhole(answer: string): boolean {
  const end = answer.indexOf("\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(answer.slice(0, Math.max(0, end)))?.[1] ?? "0";
  return end >= 0 && answer.length >= end + 4 + Number(length);
}

/** Begins a request with its body held back: sends the head, and resolves once the server waits for the body. */
export async function begin(
  url: string,
  method: string,
  target: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ finish(): Promise<string> }> {
  const { hostname, port } = new URL(url);
  const head = { ...headers, "content-length": String(body.length), expect: "100-continue" };
  let heard = "";
  const socket = connect(Number(port), hostname, () => socket.write(rawRequest(method, target, head)));
  const continued = Promise.withResolvers<undefined>();
  const answered = Promise.withResolvers<string>();
  socket.on("data", (data) => {
    heard += data.toString("latin1");
    if (heard.includes("100 Continue")) continued.resolve(undefined);
    if (answers(2)(heard)) socket.destroy();
  });
  socket.on("error", () => undefined); // the server may close the connection first
  socket.on("close", () => {
    continued.reject(new Error(`not begun: ${heard}`));
    answered.resolve(heard.slice(heard.indexOf("\r\n\r\n") + 4));
  });
  await continued.promise;
  return {
    finish: async () => {
      socket.write(body);
      return answered.promise;
    },
  };
}

/** True once `n` answers have come. */
export const answers = (n: number) => (heard: string) =>
  heard.split("HTTP/1.1 ").length > n && heard.includes("\r\n\r\n");

/** The status codes in what was received. */
export const statuses = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
