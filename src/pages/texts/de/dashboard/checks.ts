import type { checks as en } from "../../en/dashboard/checks.ts";
import { lasting as inUnits } from "../../lasting.ts";
import { form } from "./check-form.ts";
import { glance } from "./check-glance.ts";
import { count, number } from "../numbers.ts";
import { capital, spelled } from "../spelled.ts";

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} und ${parts.at(-1) ?? ""}`;
const runs = (n: number): string => (n === 1 ? "Der letzte Lauf" : `Die letzten ${number(n)} Läufe`);
/** Units without a full stop: a sentence may end in one. */
const lasting = (ms: number): string => (ms < 1000 ? "unter 1\u00a0s" : inUnits(ms));

export const checks: typeof en = {
  heading: ({ down, late, all }) => {
    if (all === 0) return "Noch keine Checks";
    const lateWords =
      late === 0 ? "" : `${late === 1 ? "einer" : spelled(late)} ${late === 1 ? "ist" : "sind"} überfällig`;
    if (down > 0) {
      const words = down === 1 ? "Ein Check ist ausgefallen" : `${capital(spelled(down))} Checks sind ausgefallen`;
      return lateWords === "" ? words : `${words}, ${lateWords}`;
    }
    if (late > 0) return `Nichts ist ausgefallen, ${lateWords}`;
    return all === 1 ? "Ein Check, und er ist nicht ausgefallen" : "Kein Check ist ausgefallen";
  },
  more: "Weitere Checks",
  moreActs: "Mehr",
  newOne: "Neuer Check",
  noneLike: "Kein solcher Check",
  showAll: "Alle Checks zeigen",
  state: {
    new: "Neu",
    up: "In Ordnung",
    late: "Überfällig",
    running: "Läuft",
    down: "Ausgefallen",
    paused: "Pausiert",
  },
  empty: {
    title: "Ein Job, der nicht mehr läuft, meldet keinen Fehler",
    text: "Darum meldet er sich: er ruft jedes Mal eine Adresse auf, wenn er fertig ist, und peal schlägt Alarm, wenn er still bleibt. Was einen Job beobachtet, heißt Check.",
    then: "Einen Check anlegen, dann seine Ping-URL hinter den Job setzen:",
  },

  lasting,
  sentence: {
    never: "Noch nie gemeldet. Die Ping-URL in den Job einfügen.",
    neverArmed: (left) => `Noch nie gemeldet. Alarm in ${left}, wenn er still bleibt.`,
    late: (ago, left) => `Vor ${ago} erwartet, Alarm in ${left}, wenn er still bleibt.`,
    lateNow: (ago) => `Vor ${ago} erwartet, der Alarm ist fällig.`,
    running: (since) => `Läuft seit ${since}.`,
    usually: (usual) => `Braucht sonst ${usual}.`,
    down: (since) => `Ausgefallen seit ${since}`,
    because: ": ",
    exit: (code) => `Exit ${code}`,
    failed: "ein Fehler wurde gemeldet",
    after: (took) => ` nach ${took}`,
    missed: "keine Meldung, erwartet {}",
    neverSeen: "noch nie gemeldet",
    overrun: (allowed) => `läuft seit {} und darf ${allowed} dauern`,
    gap: "keine Meldung, während dieser Server aus war",
    acked: (by) => (by === undefined ? "Jemand kümmert sich." : `${by} kümmert sich.`),
    muted: "Still bis {}.",
    paused: (by) =>
      by === undefined
        ? "Pausiert seit {}. Pings werden behalten, niemand erfährt davon."
        : `Pausiert von ${by}, seit {}. Pings werden behalten, niemand erfährt davon.`,
    pausedPlain: "Pausiert. Pings werden behalten, niemand erfährt davon.",
    next: (schedule, left) => `${schedule}, das nächste Mal in ${left}.`,
    nextSoon: (schedule) => `${schedule}, jeden Moment.`,
    manual: "Zu keiner Zeit erwartet: nur Fehler lösen Alarm aus.",
    zone: "Die Pings kommen um ganze Stunden zu früh, als wäre die Zeitzone eine andere. Siehe Zeitplan.",
  },
  schedule: {
    every: (length) => EACH.get(length) ?? `Alle ${length}`,
    daily: (time) => `Täglich um ${time}`,
    weekly: (days, time) =>
      `${capital(listed(days.map((day) => ["sonntags", "montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags"][day] ?? "")))} um ${time}`,
    workdays: (time) => `Werktags (Mo–Fr) um ${time}`,
    monthly: (day, time) => `Am ${day}. des Monats um ${time}`,
    hourly: (minute) => `Stündlich um :${minute}`,
    cron: (expression) => `Cron: ${expression}`,
    manual: "Zu keiner festen Zeit",
  },
  runs: {
    title: (n) => (n === 1 ? "Letzter Lauf" : `Letzte ${number(n)} Läufe`),
    none: "Noch keine Läufe",
    usually: (from, to) => (from === to ? `sonst ${from}` : `sonst ${from} bis ${to}`),
    label: ({ name, all, failed, missed, running }) => {
      if (all === 0) return `Noch keine Läufe von ${name}`;
      const parts = [
        failed === 0 ? "" : `${number(failed)} fehlgeschlagen`,
        missed === 0 ? "" : `${number(missed)} ausgeblieben`,
        running === 0 ? "" : `${number(running)} im Gange`,
      ].filter((part) => part !== "");
      const ok = all - failed - missed - running;
      if (parts.length === 0) return `${runs(all)} von ${name}: ${all === 1 ? "ok" : "alle ok"}`;
      return `${runs(all)} von ${name}: ${[`${number(ok)} ok`, ...parts].join(", ")}`;
    },
    key: {
      ok: "ok, Höhe ist die Dauer",
      untimed: "ok, Dauer nicht gemeldet",
      fail: "fehlgeschlagen",
      miss: "ausgeblieben",
      run: "im Gange",
    },
    asList: "Als Liste",
    started: "Beginn",
    result: "Ergebnis",
    took: "Dauer",
    kind: { ok: "ok", failed: "Fehlgeschlagen", missed: "Ausgeblieben", overrun: "Zu lange", running: "Läuft" },
    exit: (code) => `Exit ${code}`,
    okTook: (took) => `ok, dauerte ${took}`,
    failedAfter: (what, took) => `${what} nach ${took}`,
    overran: (took) => `länger als die erlaubten ${took}`,
    runningFor: (since) => `läuft seit ${since}`,
    gap: "ausgeblieben, aber dieser Server war aus",
    nothing: "Der erste Ping zeichnet den ersten Balken.",
  },
  ping: {
    title: "Ping-URL",
    copy: "Ping-URL kopieren",
    lost: "Der Server hat das Geheimnis verloren, aus dem sie entstand. Die alte URL gilt weiter, kann aber nicht mehr gezeigt werden: eine neue hilft.",
    tool: "Programm",
    command: (tool) => `Befehl, ${tool}`,
    hint: {
      before: "Vor dem Job die URL mit ",
      start: " am Ende aufrufen: dann ist zu sehen, wie lange er braucht; danach mit ",
      or: " oder ",
      end: ", wie er endete.",
    },
    key: "Wer diese URL hat, kann den Check anpingen und sonst nichts.",
    postOnly: "Für diesen Check zählt nur POST.",
    noBinary: "Wo sich peal nicht installieren lässt, tut {} dasselbe wie {}, unter Windows {}.",
  },
  incidents: {
    title: "Ausfälle",
    none: "Er ist noch nie ausgefallen.",
    went: "Beginn",
    why: "Warum",
    downFor: "Dauer",
    still: (since) => `${since}, noch immer`,
    missed: "Ausgeblieben {}",
    failed: "Fehler gemeldet",
    overrun: "Zu lange, seit {}",
    exit: (code) => `Exit ${code}`,
    slots: (n) => `${number(n)} Meldungen ausgeblieben`,
    gap: "dieser Server war aus von {} bis {}, zählt nicht",
    acked: (by) => (by === undefined ? "bestätigt" : `${by} hat sich gekümmert`),
  },
  log: {
    title: "Protokoll",
    none: "Noch ist nichts geschehen.",
    newest: "Neueste",
    output: "Ausgabe",
    cut: (bytes) => `… ${bytes} Bytes ausgelassen …`,
    by: (name) => `von ${name}`,
    kind: {
      ok: "ok",
      fail: "fehlgeschlagen",
      start: "begonnen",
      log: "notiert",
      ignored: "Ping nicht gezählt",
      down: "ausgefallen",
      up: "wieder da",
      paused: "pausiert",
      resumed: "fortgesetzt",
      snoozed: "eine Weile still",
      unsnoozed: "nicht mehr still",
      acked: "bestätigt",
      unacked: "Bestätigung zurückgenommen",
      edited: "Einstellungen geändert",
      tested: "Alarm getestet",
    },
    reason: { missed: "keine Meldung", failed: "fehlgeschlagen", overrun: "zu lange" },
  },
  plan: {
    title: "Zeitplan",
    runs: "Läuft",
    atMost: "Höchstens",
    perRun: (length) => `${length} je Lauf`,
    anyTime: "beliebig lange je Lauf",
    next: "Die nächsten fünf",
    zoneOfTimes: (zone) => `Zeiten in der Zeitzone ${zone}.`,
    noGrace: "keine",
    badge: "Badge",
    badgeHint: "Zeigt jedem, der die Adresse hat, den Zustand und sonst nichts.",
    copyBadge: "Adresse des Badges kopieren",
  },
  told: {
    title: "Wenn er still bleibt",
    tells: (devices) => `Topic {} benachrichtigt ${devices}.`,
    nobody: "Topic {} benachrichtigt kein Gerät: nirgends würde es klingeln.",
    devices: (n, more) => (more ? `mehr als ${number(n)} Geräte` : n === 1 ? "ein Gerät" : `${number(n)} Geräte`),
    as: (level, priority) => `Als: ${level}, ${priority}.`,
    priority: { low: "niedrige Priorität", normal: "normale Priorität", high: "hohe Priorität", urgent: "dringend" },
    lost: "verloren",
    lastTest: "Letzter Test {}.",
    accepted: (some, all) => `Der Alarm wurde für ${number(some)} von ${count(all, "Gerät", "Geräten")} angenommen.`,
    toNobody: "Beim Alarm folgte dem Topic kein Gerät.",
    reminder: "Nächste Erinnerung {}.",
  },
  note: {
    missed: (grace) =>
      grace === undefined
        ? "Keine Meldung, erwartet {}."
        : `Keine Meldung, erwartet {}, und auch nicht in der Karenz von ${grace} danach.`,
    lastOk: (took) => (took === undefined ? "Zuletzt ok {}." : `Zuletzt ok {}, dauerte ${took}.`),
  },
  act: {
    pause: "Pausieren",
    resume: "Fortsetzen",
    test: "Alarm testen",
    ack: "Ich kümmere mich",
    quiet: "1\u00a0h still",
    loud: "Nicht mehr still",
    rotate: "Neue Ping-URL …",
    remove: "Check löschen …",
  },
  flash: {
    pause: "Pausiert. Pings werden behalten, niemand erfährt davon.",
    resume: "Wird wieder beobachtet, vom nächsten Termin an.",
    ack: "Keine Erinnerungen mehr an diesen Ausfall.",
    over: "Der Ausfall ist schon vorbei: daran erinnert nichts mehr.",
    snooze: "Eine Stunde still. Ist er dann ausgefallen, wird das gemeldet.",
    unsnooze: "Nicht mehr still.",
    test: (topic, devices) =>
      devices === 0
        ? `Ein Test ging an Topic ${topic}. Kein Gerät folgt ihm.`
        : `Ein Test ging an Topic ${topic} und ${devices === 1 ? "ein Gerät" : `${number(devices)} Geräte`}.`,
    armed: (name) => `${name} wird ab jetzt überwacht.`,
    created: (name) => `${name} wird vom ersten Ping an überwacht.`,
    saved: "Gespeichert.",
    rotated: (overlap) =>
      `Das ist die neue Ping-URL. Sie gehört in den Job. Die alte gilt ${overlap === "" ? "nicht mehr" : `noch ${overlap}`}.`,
    removed: (name) => `${name} wurde gelöscht.`,
  },
  rotate: {
    title: (name) => `Eine neue Ping-URL für ${name}?`,
    text: "Der Job braucht die neue.",
    overlap: "Die alte gilt noch",
    hint: "Etwa 7d, 12h oder 0s: so lange zählen beide.",
    go: "Neue URL erzeugen",
  },
  remove: {
    gone: (lines, incidents) =>
      `Das Protokoll mit ${number(lines)} ${lines === 1 ? "Zeile" : "Zeilen"} und ${number(incidents)} ${incidents === 1 ? "Ausfall" : "Ausfällen"} wird mitgelöscht.`,
    url: "Die Ping-URL antwortet dann mit 404, und niemand erfährt, wenn der Job still bleibt.",
    ends: "Er ist ausgefallen: Sein Alarm endet mit einer leisen Nachricht.",
    stays: (topic) => `Nachrichten, die er schickte, bleiben im Topic ${topic}.`,
    go: "Check löschen",
  },
  form,
  glance,
  problems: new Map([
    ["too_many_checks", "Der Namensraum nimmt keine weiteren Checks auf. Nicht mehr benötigte löschen hilft."],
    ["too_many_topics", "Der Namensraum nimmt keine weiteren Topics auf. Ein vorhandenes wählen."],
  ]),
};

const EACH = new Map([
  ["1\u00a0d", "Jeden Tag"],
  ["1\u00a0h", "Jede Stunde"],
  ["1\u00a0min", "Jede Minute"],
]);
