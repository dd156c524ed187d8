/** The commands of docs/push/, pasted one after another into a shell, print what the pages say. */
import { afterAll, expect, test } from "bun:test";
import { blocksOf, expectPage, onServer, pageAt } from "../support/page.ts";
import { fakeApns } from "../support/push/apns.ts";
import { authority } from "../support/push/ca.ts";
import { fakePushService } from "../support/push/webpush.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const curlTest = testWith("curl", "openssl");

const [apns, service] = [await fakeApns(), await fakePushService()];
afterAll(async () => {
  await apns[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});
const env = { ...apns.env, ...service.env, NODE_EXTRA_CA_CERTS: authority.file };

curlTest("an app of one's own registers by curl, is tested, acknowledges", async () => {
  await using peal = await startPeal({ env });
  const topic = await peal.topic("backups");
  for (const message of ["of yesterday", "of before"]) await peal.publish(topic, { message });
  const page = pageAt("docs/push/own-app.md");
  expect(blocksOf(page).length).toBeGreaterThan(7);
  await expectPage(peal, page, onServer(peal));
  expect(apns.received.map(({ status }) => status)).toContain(200);
});

curlTest("an app that speaks UnifiedPush registers by curl", async () => {
  await using peal = await startPeal({ env });
  const { key } = await peal.topic("backups");
  const { endpoint, keys } = service.subscribe();
  const given = { ENDPOINT: endpoint, P256DH: keys.p256dh, AUTH: keys.auth, TOPIC: key };
  const here = (text: string) =>
    Object.entries(given).reduce(
      (line, [name, value]) => line.replace(new RegExp(`^${name}='.*'$`, "m"), `${name}='${value}'`),
      onServer(peal)(text),
    );
  await expectPage(peal, pageAt("docs/push/android.md"), here);
  expect(service.accepted(endpoint)).toHaveLength(1);
});

test.each([
  ["iphone.md", "https-at-home"],
  ["own-app.md", "web-push"],
])("%s has the anchor #%s that other pages link to", (file, place) => {
  const page = pageAt(`docs/push/${file}`);
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title.toLowerCase().replaceAll(" ", "-"));
  expect([...headings, /<a id="([^"]+)">/.exec(page)?.[1]]).toContain(place);
});
