/** `peal openapi`: the OpenAPI document, without a server and without a database. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Loaded } from "../config/sources.ts";
import { writeOut, type Command } from "./command.ts";

export const openapi: Command = {
  name: "openapi",
  args: [],
  summary: "Print the API's description, OpenAPI 3.1 as JSON; no server needs to run.",
  flags: [],
  examples: ["peal openapi > peal.json", "PEAL_BASE_URL=https://peal.example.org peal openapi"],
  run: async ({ load }) => writeOut(`${JSON.stringify(await documentOf(await load()), null, 2)}\n`),
};

/** Made from the routes of a whole server: one with nothing in it, which ends at once. */
async function documentOf({ config }: Loaded): Promise<unknown> {
  const { createHandler } = await import("../server/serve.ts");
  const dataDir = mkdtempSync(join(tmpdir(), "peal-openapi-"));
  try {
    const server = await createHandler({ ...config, dataDir, adminKey: undefined, adminPassword: undefined });
    const answer = await server.handle(new Request(`${config.baseUrl ?? "http://localhost:7325"}/openapi.json`));
    const document: unknown = await answer.json();
    await server.close();
    return document;
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}
