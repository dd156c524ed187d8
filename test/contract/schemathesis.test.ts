/** The server against its own OpenAPI document: no 5xx, and no answer that the document does not describe. */
import { expect } from "bun:test";
import { join } from "node:path";
import { newCheck } from "../support/checks.ts";
import { iphone } from "../support/devices.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

/** For how long each run tries. */
const SECONDS = IS_THOROUGH ? 30 : 3;

/** Runs schemathesis, and returns its report when it found something, else "". */
async function findings(peal: Peal, settings: string): Promise<string> {
  const config = join(peal.dataDir, "schemathesis.toml");
  await Bun.write(config, settings);
  const run = Bun.spawn(
    [
      "schemathesis",
      `--config-file=${config}`,
      "run",
      `${peal.url}/openapi.json`,
      `--header=Authorization: Bearer ${peal.adminKey}`,
      `--checks=${CHECKS}`,
      "--phases=examples,coverage,fuzzing",
      `--max-time=${SECONDS}`,
      "--max-examples=20",
      "--exclude-path-regex=(?<!/checks/\\{id\\})/events$", // streams never end
      "--generation-deterministic",
      "--request-timeout=10",
      "--suppress-health-check=all",
      "--warnings=off",
      "--no-color",
    ],
    { cwd: peal.dataDir, stdio: ["ignore", "pipe", "pipe"] },
  );
  const [report, errors] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  return (await run.exited) === 0 ? "" : report + errors;
}

const disabled = (operation: string) => `[[operations]]\ninclude-name = "${operation}"\nenabled = false\n`;
/** Schemathesis reuses ids that it has seen: these operations would remove the key or topic that the rest of the run needs. */
const DESTRUCTIVE = [
  "DELETE /v1/keys/{id}",
  "DELETE /v1/{ns}/{key}",
  "POST /v1/{ns}/{key}/rotate",
  "DELETE /v1/{ns}/checks/{id}",
  "DELETE /api/{version}/checks/{id}",
  "POST /v1/{ns}/checks/{id}/rotate",
  "DELETE /v1/devices/{id}",
];

const withSchemathesis = testWith("schemathesis");
withSchemathesis(
  "schemathesis finds no 5xx and no answer beside the document, on a topic with messages",
  async () => {
    await using peal = await startPeal({ env: { PEAL_RECEIPTS: "on" } });
    const topic = await peal.topic("fuzzed");
    for (const text of ["one", "two", "three"])
      await peal.publish(topic, { message: text, priority: "urgent", ack: true });
    const { id, ping_url, badge_url } = await newCheck(peal, { slug: "fuzzed" });
    await peal.request(ping_url, { method: "POST", body: "said" });
    const device = await iphone(peal, [topic]);
    const [token, file] = [ping_url, badge_url].map((url) => url.split("/").at(-1));
    const parameters = `[parameters]
ns = "home"
key = "${topic.key}"
name = "fuzzed"
topic = "${topic.key}"
token = "${token}"
file = "${file}"
[[operations]]
include-path-regex = "/checks/\\\\{id\\\\}"
parameters = { id = "${id}", n = 1 }
[[operations]]
include-path-regex = "/messages/\\\\{id\\\\}/"
parameters = { id = 2 }
[[operations]]
include-path-regex = "/v1/devices/\\\\{id\\\\}"
parameters = { id = "${device.id}" }
`;
    expect(await findings(peal, parameters + DESTRUCTIVE.map(disabled).join(""))).toBe("");
    expect((await peal.request("/health")).status).toBe(200);
  },
  120_000,
);
withSchemathesis(
  "and none on paths and parameters of its own making",
  async () => {
    await using peal = await startPeal();
    expect(await findings(peal, disabled("DELETE /v1/keys/{id}"))).toBe("");
    expect((await peal.request("/health")).status).toBe(200);
  },
  120_000,
);
