/** How refusals are reported to Gotify's clients. */
import { STATUS_CODES } from "node:http";
import { expect, test } from "bun:test";
import { REASONS } from "../../src/hooks/dialects/gotify.ts";
import { problemTable } from "../../src/http/problem.ts";

test("each status of a problem has its reason phrase", () => {
  for (const { status } of problemTable) expect(REASONS[status]).toBe(STATUS_CODES[status]);
});
