/** The first run: somebody with the code makes the first admin, namespace, topic and key (WEB.md §2). */
import { apiKeySecret } from "../../../util/ids.ts";
import type { Committed } from "../../store.ts";
import type { SetupStore } from "../../setup.ts";
import type { Admins, MakePerson } from "./accounts.ts";
import { silently } from "../job.ts";
import type { Engine } from "../engine.ts";
import { FIRST_KEY, type KeysInMemory, type PutKey, type EnsureNamespace } from "../keys/keys.ts";
import type { Settings } from "../settings.ts";
import type { MakeTopic } from "../topics/make.ts";
import { toTopic, topicByName } from "../topics/rows.ts";

const NAMESPACE = "home";
const TOPIC = "hello";

type Claimed = Awaited<ReturnType<SetupStore["claim"]>>;

interface Parts {
  keys: KeysInMemory;
  settings: Settings;
  putKey: PutKey;
  ensureNamespace: EnsureNamespace;
  makeTopic: MakeTopic;
  admins: Admins;
  makePerson: MakePerson;
}

export function setupStore(engine: Engine, parts: Parts): SetupStore {
  const { write, read, writer, namespaces } = engine;
  const { keys, settings, putKey, ensureNamespace, makeTopic, admins, makePerson } = parts;
  const findTopic = topicByName(write);
  const readTopic = topicByName(read);

  const ensureTopic = () => {
    const { one: home, isNew } = ensureNamespace(NAMESPACE);
    const [known] = findTopic.all({ namespaceId: home.id, name: TOPIC });
    const events: Committed[] = [];
    if (isNew) events.push({ kind: "hint", of: "namespace", namespaceId: home.id });
    if (known === undefined) events.push({ kind: "hint", of: "topic", namespaceId: home.id });
    const row = known ?? makeTopic(home.id, TOPIC);
    if (row === "too_many_topics") throw new Error(`namespace ${NAMESPACE} has no room for topic ${TOPIC}`);
    return { home, isNew, topic: toTopic(row, home.name), events };
  };

  return {
    state: () => ({ claimed: admins.exist, keys: keys.size > 0 }),

    offer: async (codeHash) => silently(writer, () => settings.set("setup_code", codeHash)),

    withdraw: async () => silently(writer, () => settings.unset("setup_code")),

    isCode: (codeHash) => settings.get("setup_code") === codeHash,

    claim: async (codeHash, owner) =>
      writer.run<Claimed>(() => {
        if (admins.existNow()) return { result: "claimed" };
        if (settings.get("setup_code") !== codeHash) return { result: "wrong_code" };
        const person = makePerson({ ...owner, isAdmin: true });
        if (person === "name_taken") return { result: "name_taken" };
        const { home, isNew, topic } = ensureTopic();
        const secret = apiKeySecret();
        const key = putKey(home, { scope: "publish", name: FIRST_KEY }, secret);
        settings.unset("setup_code");
        return {
          result: { person, key, secret, topic },
          after: () => {
            if (isNew) namespaces.add(home);
            keys.set(key.hash, key);
            admins.exist = true;
          },
        };
      }),

    first: async () => {
      const home = namespaces.byName(NAMESPACE);
      const [row] = home === undefined ? [] : readTopic.all({ namespaceId: home.id, name: TOPIC });
      return row && toTopic(row, NAMESPACE);
    },

    ensureFirst: async () =>
      writer.run(() => {
        const { home, isNew, topic, events } = ensureTopic();
        return {
          result: topic,
          events,
          after: () => {
            if (isNew) namespaces.add(home);
          },
        };
      }),
  };
}
