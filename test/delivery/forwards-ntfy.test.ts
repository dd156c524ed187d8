/** Forwards to the real ntfy: what it stores is what was meant, and its refusals are told apart (DELIVERY.md §11). */
import { expect } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { forward, tested } from "../support/forwards.ts";
import { type Ntfy, type NtfyMessage, startNtfy } from "../support/ntfy.ts";
import { inProcess } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const allowing = ({ url }: Ntfy) => ({ PEAL_FORWARD_HOSTS: new URL(url).host });

async function polled({ url }: Ntfy, topic: string, headers: Record<string, string> = {}): Promise<NtfyMessage[]> {
  const text = await (await fetch(`${url}/${topic}/json?poll=1`, { headers })).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as NtfyMessage);
}

testWith("ntfy")("a message arrives whole, and an update takes its place", async () => {
  await using far = await startNtfy();
  await using peal = await inProcess({ env: allowing(far) });
  const nas = await peal.topic("nas");
  await forward(peal, "ntfy", { server: far.url, topic: "alerts" }, [nas]);
  await peal.publish(nas, {
    ...{
      title: "Größe 🗄",
      message: "**full**",
      format: "markdown",
      priority: "urgent",
      tags: ["nas"],
      url: "https://nas.example",
    },
    actions: [{ label: "Open", url: "https://nas.example/disks" }],
    ...{ dedup_key: "disk", status: "firing" },
  });
  const [first] = await eventually("the first", async () => {
    const found = await polled(far, "alerts");
    return found.length === 1 ? found : undefined;
  });
  expect(first).toMatchObject({
    ...{ title: "Größe 🗄", message: "**full**", content_type: "text/markdown", priority: 5, tags: ["nas"] },
    ...{
      click: "https://nas.example/",
      actions: [{ action: "view", label: "Open", url: "https://nas.example/disks" }],
    },
  });
  await peal.publish(nas, { message: "fine again", dedup_key: "disk", status: "resolved" });
  const all = await eventually("the second", async () => {
    const found = await polled(far, "alerts");
    return found.length === 2 ? found : undefined;
  });
  expect(new Set(all.map((one) => one["sequence_id"])).size).toBe(1);
});

testWith("ntfy")("a long message stays a text, and is no file", async () => {
  await using far = await startNtfy();
  await using peal = await inProcess({ env: allowing(far) });
  const nas = await peal.topic("nas");
  await forward(peal, "ntfy", { server: far.url, topic: "alerts" }, [nas]);
  await peal.publish(nas, { title: "é".repeat(256), message: 'ü\n"'.repeat(6_000) });
  const [one] = await eventually("it", async () => {
    const found = await polled(far, "alerts");
    return found.length === 1 ? found : undefined;
  });
  expect(one).not.toHaveProperty("attachment");
  expect(one?.message).toStartWith("ü\n");
});

testWith("ntfy")("buttons that are too large for ntfy cost no message", async () => {
  await using far = await startNtfy();
  await using peal = await inProcess({ env: allowing(far) });
  const nas = await peal.topic("nas");
  await forward(peal, "ntfy", { server: far.url, topic: "alerts" }, [nas]);
  const actions = ["a", "b", "c"].map((label) => ({
    ...{ label, url: "https://nas.example", method: "POST", body: "x".repeat(2_000) },
    headers: { "x-long": "y".repeat(1_000) },
  }));
  await peal.publish(nas, { message: "disk full", actions });
  const [one] = await eventually("it", async () => {
    const found = await polled(far, "alerts");
    return found.length === 1 ? found : undefined;
  });
  expect(one?.message).toBe("disk full");
});

testWith("ntfy")("a protected topic wants a token, a login, or refuses", async () => {
  await using far = await startNtfy({ "auth-default-access": "deny-all" });
  await far.run(["user", "add", "--role=admin", "phil"], { NTFY_PASSWORD: "a long password" });
  const token = /tk_[a-z0-9]+/.exec(await far.run(["token", "add", "phil"]))?.[0] ?? "";
  await using peal = await inProcess({ env: allowing(far) });
  const server = { server: far.url, topic: "alerts" };
  const made = async (more: object) => (await forward(peal, "ntfy", { ...server, ...more })).id;
  expect(await tested(peal, await made({ token }))).toMatchObject({ state: "accepted", status: 200 });
  expect(await tested(peal, await made({ user: "phil", password: "a long password" }))).toMatchObject({
    state: "accepted",
  });
  expect(await tested(peal, await made({}))).toMatchObject({ status: 403, waits_for: "paused: forbidden" });
  expect(await tested(peal, await made({ token: "tk_00000000000000000000000000000" }))).toMatchObject({
    ...{ status: 401, waits_for: "paused: unauthorized" },
  });
});

testWith("ntfy")("its limit of requests is understood", async () => {
  await using far = await startNtfy({ "visitor-request-limit-burst": 3, "visitor-request-limit-replenish": "1h" });
  await using peal = await inProcess({ env: allowing(far) });
  const { id } = await forward(peal, "ntfy", { server: far.url, topic: "other" });
  const statuses = new Set<number | undefined>();
  for (let n = 0; n < 4; n++) statuses.add((await tested(peal, id)).status);
  expect([...statuses]).toEqual([200, 429]);
});
