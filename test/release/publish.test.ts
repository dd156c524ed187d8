/** `.ci/publish`, which both workflows call: against the API of a forge and a registry, as GitHub and Forgejo have them. */
import { afterAll, beforeAll, describe, expect } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONFIG } from "../../src/build/image/config.ts";
import { layer, ociArchive } from "../../src/build/image/oci.ts";
import { sha256 } from "../../src/util/ids.ts";
import { VERSION } from "../../src/util/version.ts";
import { eventually } from "../support/eventually.ts";
import { testWith } from "../support/tools.ts";

const folder = mkdtempSync(join(tmpdir(), "peal-publish-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A project with a release of one file and an image for two platforms. */
beforeAll(() => {
  const out = join(folder, "dist/release");
  mkdirSync(out, { recursive: true });
  for (const file of [".ci", "package.json"]) cpSync(file, join(folder, file), { recursive: true });
  writeFileSync(
    join(folder, "CHANGELOG.md"),
    `# Log\n\n## [${VERSION}0]\n\n- New.\n\n## [${VERSION}]\n\n- It "rings".\n\n## [0.0.1]\n\n- Old.\n`,
  );
  const built = (platform: "amd64" | "arm64") => ({
    platform,
    layers: [layer(platform, [{ path: "peal", mode: 0o755, content: Buffer.from(platform) }], 0)],
  });
  const about = { name: "peal", version: VERSION, revision: "abc", at: 0, config: CONFIG };
  const image = ociArchive({ ...about, platforms: [built("amd64"), built("arm64")] });
  const program = Buffer.from([0, 255, 10, 13, 0]);
  writeFileSync(join(out, "peal-linux-x64"), program);
  writeFileSync(join(out, "peal-oci.tar"), image);
  writeFileSync(join(out, "SHA256SUMS"), `${sha256(program)}  peal-linux-x64\n${sha256(image)}  peal-oci.tar\n`);
});

const TOKEN = "made-up-token";

/** The API of releases, with what was sent to it. GitHub takes files at an address of their own, as they are. */
function forge(kind: "github" | "forgejo") {
  const releases: object[] = [];
  const assets = new Map<string, Uint8Array>();
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch: async (request) => {
      const { pathname, searchParams, origin } = new URL(request.url);
      if (request.headers.get("authorization") !== `Bearer ${TOKEN}`) return new Response("no token", { status: 401 });
      const base = "/api/repos/Ann/Peal/releases";
      const release = () => ({
        id: 7,
        upload_url: kind === "github" ? `${origin}/uploads/7/assets{?name,label}` : `${origin}${base}/7/assets`,
        assets: [...assets.keys()].map((name) => ({ name })),
      });
      if (pathname === `${base}/tags/v${VERSION}`)
        return releases.length === 0 ? new Response("none", { status: 404 }) : Response.json(release());
      if (pathname === base) {
        releases.push((await request.json()) as object);
        return Response.json(release(), { status: 201 });
      }
      const name = searchParams.get("name") ?? "";
      if (kind === "github" && pathname === "/uploads/7/assets") assets.set(name, await request.bytes());
      else if (kind === "forgejo" && pathname === `${base}/7/assets`) {
        const body = Buffer.from(await request.bytes()); // a form with one part
        expect(body.toString("latin1")).toContain('name="attachment"');
        assets.set(name, body.subarray(body.indexOf("\r\n\r\n") + 4, body.lastIndexOf("\r\n--")));
      } else return new Response("not here", { status: 404 });
      return new Response("{}", { status: 201 });
    },
  });
  return { url: server.url.origin, releases, assets, stop: async () => server.stop(true) };
}

/** An empty registry, and a home where skopeo reads that it has no TLS. */
async function registry() {
  const place = mkdtempSync(join(folder, "registry-"));
  const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const host = `127.0.0.1:${free.port}`;
  free.stop(true);
  const settings = join(place, "settings.yml");
  const storage = JSON.stringify({ filesystem: { rootdirectory: join(place, "data") } });
  writeFileSync(settings, `version: 0.1\nstorage: ${storage}\nhttp: {addr: "${host}"}\n`);
  mkdirSync(join(place, ".config/containers"), { recursive: true });
  writeFileSync(
    join(place, ".config/containers/registries.conf"),
    `[[registry]]\nlocation = "${host}"\ninsecure = true\n`,
  );
  const child = Bun.spawn(["docker-registry", "serve", settings], { stdio: ["ignore", "ignore", "ignore"] });
  await eventually("the registry", async () => (await fetch(`http://${host}/v2/`).catch(() => null))?.ok);
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  return { host, home: place, stop };
}

describe.each(["github", "forgejo"] as const)("at %s", (kind) => {
  testWith(
    "skopeo",
    "registry",
    "curl",
  )("a tag becomes a release with its files, and an image for both platforms", async () => {
    const there = forge(kind);
    const { host, home, stop } = await registry();
    const publish = async (tag = `v${VERSION}`) => {
      const child = Bun.spawn([join(folder, ".ci/publish")], {
        env: {
          ...process.env,
          ...{ GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: "Ann/Peal", GITHUB_SERVER_URL: there.url },
          ...{
            GITHUB_API_URL: `${there.url}/api`,
            TOKEN,
            ACTOR: "ann",
            REGISTRY: host,
            HOME: home,
          },
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { code, text: stdout + stderr };
    };
    try {
      expect(await publish("v9.9.9")).toMatchObject({ code: 1 });
      expect(there.releases).toEqual([]);

      const { code, text } = await publish();
      expect([code, code === 0 ? "" : text]).toEqual([0, ""]);
      expect(text).not.toContain(TOKEN);
      const [release] = there.releases;
      expect(there.releases).toHaveLength(1);
      expect(release).toMatchObject({ tag_name: `v${VERSION}`, prerelease: false, body: '\n- It "rings".' });
      expect([...there.assets.keys()].toSorted()).toEqual(["SHA256SUMS", "peal-linux-x64", "peal-oci.tar"]);
      expect(Buffer.from(there.assets.get("peal-linux-x64") ?? []).toString("hex")).toBe("00ff0a0d00");
      for (const tag of [VERSION, VERSION.replace(/\.\d+$/, ""), "latest"]) {
        const accept = "application/vnd.oci.image.index.v1+json";
        const answer = await fetch(`http://${host}/v2/ann/peal/manifests/${tag}`, { headers: { accept } });
        const { manifests } = (await answer.json()) as { manifests: { platform: { architecture: string } }[] };
        expect(manifests.map(({ platform }) => platform.architecture)).toEqual(["amd64", "arm64"]);
      }
      // a run that failed half-way may be repeated
      there.assets.delete("SHA256SUMS");
      const again = await publish();
      expect(again.code).toBe(0);
      expect(again.text.match(/attached .*/g)).toEqual(["attached SHA256SUMS"]);
      expect(there.releases).toHaveLength(1);
    } finally {
      await Promise.all([there.stop(), stop()]);
    }
  });
});
