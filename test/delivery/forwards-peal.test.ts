/** A second peal as a server of ntfy's: a forward of the kind `ntfy` reaches it by its key. */
import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { forward } from "../support/forwards.ts";
import { inProcess } from "../support/server.ts";

test.each(["at its root", "below a namespace"])("a message and its update arrive %s", async (where) => {
  await using far = await inProcess();
  await using near = await inProcess({ env: { PEAL_FORWARD_HOSTS: new URL(far.url).host } });
  const [here, there] = [await near.topic("nas"), await far.topic("nas")];
  const { key } = await far.mint("publish");
  const settings =
    where === "at its root" ? { server: far.url, topic: there.key } : { server: `${far.url}/ntfy/home`, topic: "nas" };
  await forward(near, "ntfy", { ...settings, token: key }, [here]);
  await near.publish(here, {
    title: "NAS",
    message: "disk full",
    priority: "high",
    dedup_key: "disk",
    status: "firing",
  });
  await near.publish(here, { message: "fine again", dedup_key: "disk", status: "resolved" });
  const history = await eventually("both", async () => {
    const found = await far.history(there);
    return found.length === 2 ? found : undefined;
  });
  expect(history).toMatchObject([{ title: "NAS", message: "disk full", priority: "high" }, { message: "fine again" }]);
  expect(new Set(history.map(({ dedup_key }) => dedup_key)).size).toBe(1);
});
