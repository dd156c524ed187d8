/** The served stylesheet has the same effect as `static/peal.css`: minifying it changes no rule. */
import { expect, test } from "bun:test";
import { ASSETS } from "../../src/pages/assets.generated.ts";
import { look, startBrowsing } from "./browser.ts";

const { peal, visit } = await startBrowsing();

test("the served stylesheet has the rules of its source, in their order, each with the same values", async () => {
  const page = await visit(`${peal.url}/-/login`);
  const source = await Bun.file("static/peal.css").text();
  const served = await (await peal.request(ASSETS["peal.css"].path)).text();
  const [written, made] = [await look<string[]>(page, "rules", source), await look<string[]>(page, "rules", served)];
  expect(written.length).toBeGreaterThan(400);
  expect(made).toEqual(written);
});
