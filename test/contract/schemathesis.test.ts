/** The server against its own OpenAPI document: no 5xx, no answer that the document does not describe. */
import { expect } from "bun:test";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const schemathesis = process.env["SCHEMATHESIS"] ?? Bun.which("schemathesis");
const CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

testWith(
  schemathesis === null ? "no schemathesis (pip install schemathesis; SCHEMATHESIS names the program)" : undefined,
)(
  "schemathesis finds no 5xx and no answer beside the document",
  async () => {
    await using peal = await startPeal();
    await peal.topic("schemathesis");
    const run = Bun.spawn(
      [
        schemathesis ?? "schemathesis",
        "run",
        `${peal.url}/openapi.json`,
        `--header=Authorization: Bearer ${peal.adminKey}`,
        `--checks=${CHECKS}`,
        "--phases=examples,coverage,fuzzing",
        "--max-examples=20",
        "--max-time=60",
        "--exclude-path-regex=/events$", // a stream has no end
        "--generation-deterministic",
        "--request-timeout=10",
        "--suppress-health-check=all",
        "--no-color",
      ],
      { cwd: peal.dataDir, stdio: ["ignore", "pipe", "pipe"] },
    );
    const [report, errors] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
    expect({ code: await run.exited, report: (await run.exited) === 0 ? "" : report + errors }).toEqual({
      code: 0,
      report: "",
    });
  },
  180_000,
);
