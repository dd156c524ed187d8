/** Servers with peal's own https: a good certificate, one that ends soon, one that failed to renew, one for another name, and none. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DAY } from "../../src/util/clock.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs } from "../support/desk.ts";
import { eventually } from "../support/eventually.ts";
import { limitedAuthority } from "../support/limited.ts";
import { authority, newAuthority } from "../support/push/ca.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";

const NAME = "peal.example.net";
export const HTTPS_STATES = ["good", "ending", "failed", "expired", "other", "none"] as const;
export type HttpsState = (typeof HTTPS_STATES)[number];

/** The certificate of each: its name, and the days that have passed and are left. */
const GIVEN: Record<Exclude<HttpsState, "none">, { name?: string; age: number; left: number }> = {
  good: { age: 10, left: 80 },
  ending: { age: 85, left: 5 },
  failed: { age: 81, left: 9 },
  expired: { age: 92, left: -2 },
  other: { name: "nas.example.net", age: 10, left: 80 },
};
/** Their certificates are files of the operator's; those of the others are an authority's. */
const OF_FILES: readonly HttpsState[] = ["ending", "other"];

interface HttpsPage {
  name: string;
  url: string;
  cookie: string;
}

export interface Certified extends AsyncDisposable {
  /** The settings and the set-up's page of the first phone. */
  readonly pages: readonly HttpsPage[];
  pageOf(page: "settings" | "setup", state: HttpsState): HttpsPage;
}

/** The servers run inside this process, with the clock stopped at `now`. */
export async function certified(now: number): Promise<Certified> {
  const folder = await mkdtemp(join(tmpdir(), "peal-https-"));
  const limited = limitedAuthority({ now: () => now });
  const servers: InProcess[] = [];
  const pages: HttpsPage[] = [];
  for (const state of HTTPS_STATES) {
    const peal = await start({ state, now, dataDir: join(folder, state), authorityUrl: limited.url });
    servers.push(peal);
    const { tls } = peal.running.deps;
    const isUseless = state === "failed" || state === "expired" || state === "none";
    await eventually(`https: ${state}`, () => (isUseless ? tls?.problem()?.includes("too many") : tls?.certificate));
    const cookie = await signedIn(peal);
    await deskAs(peal, cookie).post("/-/setup/topic");
    for (const [name, path] of [
      ["settings", "/-/settings"],
      ["setup", "/-/setup/phone"],
    ] as const)
      pages.push({ name: `${name}-https-${state}`, url: peal.url + path, cookie });
  }
  return {
    pages,
    pageOf: (page, state) => {
      const found = pages.find(({ name }) => name === `${page}-https-${state}`);
      if (found === undefined) throw new Error(`no page ${page} of ${state}`);
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) await server[Symbol.asyncDispose]();
      limited[Symbol.dispose]();
      await rm(folder, { recursive: true });
    },
  };
}

interface Wanted {
  state: HttpsState;
  now: number;
  dataDir: string;
  authorityUrl: string;
}

async function start({ state, now, dataDir, authorityUrl }: Wanted): Promise<InProcess> {
  const env: Record<string, string> = { PEAL_BASE_URL: `https://${NAME}:7326`, PEAL_LISTEN_TLS: "127.0.0.1:0" };
  const isOfFiles = OF_FILES.includes(state);
  const [cert, key] = [join(dataDir, "cert.pem"), join(dataDir, "key.pem")];
  if (isOfFiles) Object.assign(env, { PEAL_TLS: "files", PEAL_TLS_CERT: cert, PEAL_TLS_KEY: key });
  else Object.assign(env, { PEAL_TLS: "acme", PEAL_ACME_URL: authorityUrl, PEAL_ACME_LISTEN: "off" });
  await mkdir(dataDir, { recursive: true });
  if (state !== "none") {
    const { name = NAME, age, left } = GIVEN[state];
    const pair = newAuthority("Let’s Encrypt R11").issue([name], { from: now - age * DAY, until: now + left * DAY });
    const kept = join(dataDir, "tls", new URL(authorityUrl).host.replace(":", "_"), `${NAME}.pem`);
    await mkdir(dirname(kept), { recursive: true });
    await (isOfFiles
      ? Promise.all([writeFile(cert, pair.cert), writeFile(key, pair.key)])
      : writeFile(kept, pair.key + pair.cert));
  }
  return inProcess({ env, dataDir, clock: heldClock(now), ca: authority.cert });
}
