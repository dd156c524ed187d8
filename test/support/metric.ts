/** What a server counts. */
import type { Client } from "./client.ts";

/** A metric of `/metrics` without labels; NaN when it is missing. */
export async function metric(peal: Pick<Client, "request">, name: string): Promise<number> {
  const text = await (await peal.request("/metrics")).text();
  return Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1]);
}
