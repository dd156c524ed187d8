import type { form as en } from "../../en/dashboard/check-form.ts";

export const form: typeof en = {
  create: "Check anlegen",
  preview: "Die nächsten fünf zeigen",
  nameHint: "So nennt ihn der Alarm.",
  how: "Wie er läuft",
  every: "In Abständen",
  cron: "Zu festen Zeiten (cron)",
  manual: "Von Hand: nur Fehler lösen Alarm aus",
  everyField: "Wie oft",
  everyHint: "Etwa 90s, 15m, 26h oder 1d nach dem letzten Erfolg.",
  cronField: "Cron-Zeile",
  cronHint: "Minute, Stunde, Tag, Monat, Wochentag: wie in einer Crontab.",
  timezoneHint: "Etwa Europe/Berlin. Leer: die des Servers.",
  graceHint:
    "So viel später darf er sein, bevor es jemand erfährt. Leer: ein Viertel des Abstands, eine Minute bis eine Stunde.",
  alarm: "Alarm",
  topic: "Topic",
  topicHint: "Wohin die Alarme gehen. Ein neuer Name legt ein neues Topic an.",
  newTopicHint: (topic) => `Wohin die Alarme gehen. Ein neuer Name legt ein neues Topic an. Leer: Topic ${topic}.`,
  usual: (what) => `Wie üblich (${what})`,
  armed: "Alarm auch, wenn er sich überhaupt nie meldet",
  notifyLate: "Schon melden, wenn er überfällig ist",
  notifySuccess: "Auch jeden Erfolg melden",
  more: "Weitere Einstellungen",
  slug: "Slug",
  slugHint: "Der Name hinter dem Ping-Schlüssel des Namensraums.",
  early: "Darf früher sein um",
  earlyHint: "Ein Ping so viel vor der Zeit zählt dafür. Leer: ein Viertel des Abstands, höchstens 2 Minuten.",
  maxRun: "Ein Lauf darf dauern",
  maxRunHint: "Leer: so lange wie die Karenz. 0: beliebig lange.",
  failAfter: "Fehler in Folge bis zum Ausfall",
  recoverAfter: "Erfolge in Folge, bis er wieder da ist",
  remindEvery: "Erinnern alle",
  remindEveryHint: "Solange er ausgefallen ist. 0: nie.",
  remindMax: "Höchstens so viele Erinnerungen",
  remindMaxHint: "Leer: ohne Ende.",
  postOnly: "Nur POST zählt als Ping",
  resumeByPing: "Ein Ping beendet eine Pause",
  wrong: "Nichts wurde gespeichert: siehe die markierten Felder.",
  refused: (field, message) => {
    const meant = /(?:did you mean|; write) ([^?]+)\??$/.exec(message)?.[1];
    const said = (field === "cron" ? cronFault(message) : undefined) ?? FAULTS.get(field);
    return `${said ?? "Das passt hier nicht."}${meant === undefined ? "" : ` Gemeint: ${meant}?`}`;
  },
};

const FIELDS = new Map([
  ["minute", "Minute"],
  ["hour", "Stunde"],
  ["day of month", "Tag"],
  ["month", "Monat"],
  ["day of week", "Wochentag"],
]);
/** The API's words about a cron line (checks/schedule/cron.ts), with the part that they quote. */
const CRON_FAULTS: [said: RegExp, inGerman: (...parts: string[]) => string][] = [
  [/^(.+) is not known/, (name) => `${name} gibt es nicht.`],
  [/^never runs: month (\S+) has no day (\S+)$/, (month, day) => `Läuft nie: Monat ${month} hat keinen Tag ${day}.`],
  [
    /^([a-z ]+): "(.*)" is not a value/,
    (field, part) => `${field}: „${part}“ ist weder Wert noch Bereich (1-5), Schrittweite (*/5) oder Liste (1,5).`,
  ],
  [/^([a-z ]+): (\S+) ends before it begins/, (field, part) => `${field}: ${part} endet, bevor es beginnt.`],
  [/^([a-z ]+): (\S+) has a step of 0$/, (field, part) => `${field}: ${part} hat die Schrittweite 0.`],
  [
    /^([a-z ]+): (\S+) is not between (\d+) and (\d+)$/,
    (field, value, low, high) => `${field}: ${value} liegt nicht zwischen ${low} und ${high}.`,
  ],
  [
    /^([a-z ]+): (\S+) is not a number and none of (.+)$/,
    (field, value, names) => `${field}: ${value} ist keine Zahl und keines von ${names}.`,
  ],
  [/^([a-z ]+): (\S+) is not a number$/, (field, value) => `${field}: ${value} ist keine Zahl.`],
];

function cronFault(message: string): string | undefined {
  for (const [said, inGerman] of CRON_FAULTS) {
    const [, field = "", ...parts] = said.exec(message) ?? [];
    if (field !== "") return inGerman(FIELDS.get(field) ?? field, ...parts);
  }
  return undefined;
}

const lengthOf = (range: string): string => `Eine Dauer ${range} gehört hierher, etwa 90s, 15m, 26h oder 1d`;
const LENGTH = `${lengthOf("bis 365 Tage")}.`;
const COUNT = "Eine ganze Zahl von 1 bis 100 gehört hierher.";
/** By field: the API's words are English. */
const FAULTS = new Map([
  ["ns", "Diesen Namensraum gibt es nicht mehr."],
  ["name", "Ein Name von 1 bis 100 Zeichen gehört hierher."],
  [
    "slug",
    "Kleine Buchstaben, Ziffern, - und _, höchstens 64, keine Ziffern allein; und kein anderer Check darf ihn haben.",
  ],
  ["topic", "Das ist weder Name noch Schlüssel eines Topics."],
  ["tags", "Höchstens 10 Tags, nicht zu lang."],
  ["every", `${lengthOf("von 10 Sekunden bis 365 Tage")}.`],
  ["cron", "Fünf Felder gehören hierher, wie in einer Crontab: Minute, Stunde, Tag, Monat, Wochentag."],
  ["timezone", "Diese Zeitzone gibt es nicht."],
  ["grace", LENGTH],
  ["early", LENGTH],
  ["max_run", LENGTH],
  ["overlap", LENGTH],
  ["remind_every", `${lengthOf("von 1 Minute bis 365 Tage")}; oder 0.`],
  ["fail_after", COUNT],
  ["recover_after", COUNT],
  ["remind_max", "Eine ganze Zahl von 0 bis 10.000 gehört hierher."],
]);
