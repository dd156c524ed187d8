/** What pages say of peal's own https: the settings, and the set-up's page of the first phone (WEB.md §2, §3). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { textOf } from "../support/desk.ts";
import { certified, HTTPS_STATES, type Certified, type HttpsState } from "./certificates.ts";

let servers: Certified;
beforeAll(async () => {
  servers = await certified(Date.UTC(2026, 10, 21, 13, 10));
});
afterAll(async () => servers[Symbol.asyncDispose]());

async function read(page: "settings" | "setup", state: HttpsState, language = "en"): Promise<string> {
  const { url, cookie } = servers.pageOf(page, state);
  const headers = { cookie, accept: "text/html", "accept-language": language };
  const response = await fetch(url, { headers, redirect: "manual" });
  expect(response.status).toBe(200);
  return textOf(await response.text());
}

describe("the settings", () => {
  test("with a good certificate say for whom, by whom and until when it is, and when the next one comes", async () => {
    const text = await read("settings", "good");
    expect(text).toContain("Certificate for peal.example.net Issued by Let’s Encrypt R11 Valid until");
    expect(text).toContain("Next renewal");
    expect(text).not.toContain("Problem");
    expect(text).toContain("https://peal.example.net:7326: browsers allow push here.");
  });

  test.each(["expired", "other", "none"] as const)(
    "do not promise push where browsers refuse it: %s",
    async (state) => {
      expect(await read("settings", state)).toContain("browsers refuse this server’s certificate.");
      expect(await read("settings", state, "de")).toContain("Browser lehnen das Zertifikat dieses Servers ab.");
    },
  );

  // prettier-ignore
  const troubles: [state: HttpsState, words: string][] = [
    ["ending",  "The certificate expires on 2026-11-26 13:10 UTC. Replace the files."],
    ["failed",  "The certificate expires on 2026-11-30 13:10 UTC. The certificate authority issues no more certificates for now."],
    ["expired", "The certificate expired on 2026-11-19 13:10 UTC. The certificate authority issues no more certificates for now."],
    ["none",    "The certificate authority issues no more certificates for now."],
  ];
  test.each(troubles)("say what is wrong: %s", async (state, words) => {
    expect(await read("settings", state)).toContain(`Problem ${words}`);
    expect(await read("settings", state, "de")).toContain(`Fehler ${words}`);
  });

  test("say who renews files", async () => {
    expect(await read("settings", "ending")).toContain("Next renewal when you replace the files");
    expect(await read("settings", "ending", "de")).toContain("Nächste Erneuerung sobald die Dateien ersetzt werden");
  });
});

describe("the set-up", () => {
  // prettier-ignore
  const states: Record<HttpsState, string> = {
    good:    "HTTPS works: your phone will be able to subscribe at https://peal.example.net:7326 .",
    // the old certificate is good until its end
    ending:  "HTTPS works: your phone will be able to subscribe at https://peal.example.net:7326 .",
    failed:  "HTTPS works: your phone will be able to subscribe at https://peal.example.net:7326 .",
    expired: "HTTPS doesn’t work yet. The certificate expired on 2026-11-19 13:10 UTC.",
    other:   "HTTPS doesn’t work yet. The certificate is for nas.example.net and not for peal.example.net , so browsers refuse it.",
    none:    "HTTPS doesn’t work yet. The certificate authority issues no more certificates for now.",
  };
  test.each([...HTTPS_STATES])("says whether a phone will be able to subscribe: %s", async (state) => {
    expect(await read("setup", state)).toContain(states[state]);
    expect(await read("setup", state, "de")).toContain(
      states[state].startsWith("HTTPS works") ? "https geht: Das Telefon" : "https geht noch nicht.",
    );
    // there is nothing to scan yet
    expect((await read("setup", state)).includes("Scan the code")).toBe(states[state].startsWith("HTTPS works"));
  });
});
