/** The SQLite engine: one file, one connection that writes, one that reads, and a lock for life. */
import { SQLiteError } from "bun:sqlite";
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { version } from "../../../package.json" with { type: "json" };
import type { Log } from "../../telemetry/log.ts";
import { DAY, type Clock } from "../../util/clock.ts";
import { StoreError, type Store } from "../store.ts";
import { openAbsences } from "../sql/checks/absences.ts";
import { accountStore, loadAdmins, personMaker } from "../sql/accounts/accounts.ts";
import { checkStore } from "../sql/checks/checks.ts";
import { clockStore } from "../sql/checks/clock.ts";
import { openReader, openWriter, type Connection } from "./connection.ts";
import { Damage, mending } from "./damage.ts";
import { isDamage } from "../sql/differences.ts";
import { dayStore } from "../sql/days/days.ts";
import { daysPurger } from "../sql/days/purge.ts";
import { deliveryStore } from "../sql/deliveries/deliveries.ts";
import { deviceStore } from "../sql/devices/devices.ts";
import { discards } from "../sql/messages/discards.ts";
import { endings } from "../sql/deliveries/endings.ts";
import { openEpochs } from "../sql/epochs.ts";
import { Namespaces, type Engine, type Limits } from "../sql/engine.ts";
import { APPLICATION_ID, applicationId, examineFiles, requireOurs } from "./examine.ts";
import { attachmentExpirer, fileStore } from "../sql/files/files.ts";
import { forwardStore } from "../sql/devices/forwards.ts";
import { readersStore } from "../sql/devices/readers.ts";
import { glanceStore } from "../sql/topics/glances.ts";
import { hookStore, hookSweeper } from "../sql/hooks/hooks.ts";
import { intakeStore } from "../sql/messages/intake.ts";
import { jobClock } from "../sql/jobclock.ts";
import { keyPutter, keyStore, loadKeys } from "../sql/keys/keys.ts";
import { takeLock, type Lock } from "./lock.ts";
import { messageStore } from "../sql/messages/messages.ts";
import { migrate, schemaVersion } from "./migrate.ts";
import { migrations as allMigrations, type Migration } from "./migrations.ts";
import { namespaceMaker, namespaceStore } from "../sql/keys/namespaces.ts";
import { overviewStore } from "../sql/topics/overview.ts";
import { moveStore } from "../sql/moves/apply.ts";
import { Place } from "./place.ts";
import { purger } from "../sql/deliveries/purge.ts";
import { scheduledStore } from "../sql/messages/scheduled.ts";
import { sessionPurger } from "../sql/accounts/sessions.ts";
import { settings as openSettings, type Settings } from "../sql/settings.ts";
import { setupStore } from "../sql/accounts/setup.ts";
import { subscriptionsOn } from "../sql/devices/subscriptions.ts";
import { sweeper } from "../sql/sweep.ts";
import { openTally } from "../sql/days/tally.ts";
import { tombs } from "../sql/keys/tombs.ts";
import { topicStore } from "../sql/topics/topics.ts";
import { topicMaker } from "../sql/topics/make.ts";
import { lacking } from "./whole.ts";
import { GroupCommit } from "./group-commit.ts";

export interface OpenOptions extends Partial<Limits> {
  /** Created, readable by its owner only, if it does not exist. */
  dataDir: string;
  clock: Clock;
  log: Pick<Log, "info" | "error">;
  /** Instead of the embedded ones: for tests of upgrades. */
  migrations?: readonly Migration[];
}

const LIMITS: Limits = {
  topicsPerNamespace: 10_000,
  scheduledPerNamespace: 10_000,
  checksPerNamespace: 100_000,
  devicesPerTopic: 20_000,
  topicsPerDevice: 1_000,
  devicesPerNamespace: 100_000,
  devicesInAll: 200_000,
  idleDevices: 10_000,
  forwardsPerNamespace: 100,
  filesInAll: 2_000_000_000,
  fileMs: 14 * DAY,
};

/** Opens `<dataDir>/peal.db` and holds its lock until `close`. @throws StoreError */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { dataDir } = options;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = takeLock(dataDir);
    try {
      return openLocked(options, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (isDamage(error))
      throw new StoreError("refused", `${dataDir}: ${mending(dataDir, error.message)}`, { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    throw unusable(dataDir, reason, error instanceof SQLiteError ? IN_ORDER : "May peal write there?", error);
  }
}

const IN_ORDER = "Is it a peal database, and is the disk healthy?";

const unusable = (dataDir: string, reason: string, advice: string, cause?: unknown) =>
  new StoreError("unusable", `The database in ${dataDir} cannot be opened: ${reason}. ${advice}`, { cause });

function openLocked({ dataDir, clock, log, migrations = allMigrations, ...limits }: OpenOptions, lock: Lock): Store {
  const path = `${dataDir}/peal.db`;
  examineFiles(dataDir);
  closeSync(openSync(path, "a", 0o600)); // before SQLite creates it: `-wal` and `-shm` take its mode
  const { mode } = statSync(path);
  if ((mode & 0o007) !== 0) chmodSync(path, mode & 0o770); // for example a copy that was made by `curl`
  const opened: Connection[] = [];
  const close = () => {
    for (const connection of opened.reverse()) connection.close();
  };
  try {
    const write = openWriter(path, (db) => {
      requireOurs(db, path);
    });
    opened.push(write);
    const place = new Place({ dataDir, clock, db: write.db, lock: lock.identity, log });
    const { copy } = migrate({ db: write.db, dataDir, migrations, version });
    if (copy !== undefined) log.info("the database was upgraded", { copy });
    const [lost] = lacking(write.db);
    if (lost !== undefined) throw unusable(dataDir, `it has no \`${lost}\``, IN_ORDER);
    if (applicationId(write.db) !== APPLICATION_ID) write.db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    const read = openReader(path);
    opened.push(read);
    const damage = new Damage(dataDir);
    const store = assemble({
      write,
      read,
      clock,
      place,
      damage,
      limits: { ...LIMITS, ...limits },
      path,
      release: () => {
        place.spareForeignLog();
        close();
        lock.release();
      },
    });
    for (const connection of opened) connection.judgeErrors(damage.judge); // a start that meets damage is refused
    return store;
  } catch (error) {
    close();
    throw error;
  }
}

interface Opened {
  write: Connection;
  read: Connection;
  clock: Clock;
  place: Place;
  damage: Damage;
  limits: Limits;
  path: string;
  release: () => void;
}

function assemble(opened: Opened): Store {
  const { write, read, place, limits, release } = opened;
  const clock = jobClock(opened.clock, write.db);
  const writer = new GroupCommit(write.db, clock, place);
  const namespaces = new Namespaces(write.orm);
  const settings = openSettings(write.orm);
  const absences = openAbsences(settings);
  const engine: Engine = { clock, writer, write: write.orm, read: read.orm, namespaces, absences, ...limits };
  const keys = loadKeys(engine);
  const tally = openTally(write.orm, settings, clock);
  writer.alongside(tally);
  const makeTopic = topicMaker(engine);
  const subscriptions = subscriptionsOn(engine);
  const ends = endings(write.orm);
  const discarded = discards(engine);
  const purge = purger(engine, subscriptions, ends);
  const ensureNamespace = namespaceMaker(engine);
  const putKey = keyPutter(engine);
  const buried = tombs(engine, keys, { subscriptions, ends });
  const admins = loadAdmins(engine);
  const makePerson = personMaker(engine);
  if (settings.get("version") !== version) settings.set("version", version);
  let closed: Promise<void> | undefined;
  const files = fileStore(engine);

  return {
    messages: messageStore(engine, { makeTopic, discards: discarded }),
    epochs: openEpochs(write.orm, settings, writer),
    topics: topicStore(engine, makeTopic, subscriptions),
    glances: glanceStore(engine),
    intake: intakeStore(engine),
    overview: overviewStore(engine),
    days: dayStore(engine, tally),
    keys: keyStore(engine, { keys, settings, putKey, ensureNamespace }),
    namespaces: namespaceStore(engine, { keys, tombs: buried, ensureNamespace }),
    scheduled: scheduledStore(engine),
    files,
    checks: checkStore(engine, { settings, makeTopic }),
    hooks: hookStore(engine, makeTopic),
    devices: deviceStore(engine, { subscriptions, ends }),
    forwards: { ...forwardStore(engine, subscriptions), ...readersStore(engine, { subscriptions, ends }) },
    deliveries: deliveryStore(engine, { settings, ends, purge }),
    setup: setupStore(engine, { keys, settings, putKey, ensureNamespace, makeTopic, admins, makePerson }),
    clock: clockStore(engine, settings, clock),
    accounts: accountStore(engine, { admins, makePerson }),
    moves: moveStore(engine, { keys, settings, ensureNamespace, makeTopic, admins, totals: subscriptions.totals }),
    ...upkeep(opened, { writer, settings, clock, files }),
    sweep: sweeper(engine, {
      subscriptions,
      purge,
      tombs: buried,
      purgeSessions: sessionPurger(engine),
      discards: discarded,
      expireAttachments: attachmentExpirer(engine),
      hooks: hookSweeper(engine),
      purgeDays: daysPurger(engine),
    }),
    close: async () => (closed ??= writer.close().then(release)),
  };
}

interface Kept extends Pick<Store, "files"> {
  writer: GroupCommit;
  settings: Settings;
  clock: Clock;
}

/** What the server asks the database itself: whether it is sound, how large it is, and when something was committed. */
function upkeep({ write, place, damage, path }: Opened, { writer, settings, clock, files }: Kept) {
  const schema = schemaVersion(write.db);
  return {
    onCommitted: (hear) => {
      writer.onCommitted(hear);
    },
    onCommit: (sample) => {
      writer.onCommit(sample);
    },
    probe: async () =>
      writer.run(() => {
        settings.set("probed_at", String(clock.now()));
        return { result: undefined };
      }),
    trouble: () => (place.trouble ?? damage.trouble)?.message,
    onDamaged: (hear) => {
      damage.onFound(hear);
    },
    noteSoundness: (found) => {
      if (found === undefined) damage.noteSound();
      else damage.note(found);
    },
    requireSound: () => {
      if (damage.trouble !== undefined) throw damage.trouble;
    },
    stats: () => ({
      databaseBytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
      walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      files: files.total().files,
      fileBytes: files.total().bytes,
      schemaVersion: schema,
    }),
  } satisfies Partial<Store>;
}
