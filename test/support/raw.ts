/** HTTP by hand, for requests that no client would send. */
import { connect } from "node:net";

/** A request as text; with a body its length is told. */
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

/** Writes `text` and resolves to all that came back once `isDone` says so, or the server has closed the connection. */
export async function converse(
  url: string,
  text: string,
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

/** So many answers have come. */
export const answers = (n: number) => (heard: string) =>
  heard.split("HTTP/1.1 ").length > n && heard.includes("\r\n\r\n");

/** The status codes in what was heard. */
export const statuses = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
