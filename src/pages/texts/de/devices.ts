/** Die Seiten der Geräte. */
import type { devices as en } from "../en/devices.ts";
import { number } from "./numbers.ts";

const devicesCount = (n: number) => `${number(n)} ${n === 1 ? "Gerät" : "Geräte"}`;
const topicsCount = (n: number) => `${number(n)} ${n === 1 ? "Topic" : "Topics"}`;

export const devices: typeof en = {
  title: "Geräte",
  heading: ({ active, lost }) => {
    if (active.n + lost.n === 0) return "Noch keine Geräte";
    if (active.isMore || lost.isMore)
      return `Mehr als ${devicesCount(active.n)}${lost.n > 0 ? `, dazu ${number(lost.n)} verloren` : ""}`;
    const all = devicesCount(active.n + lost.n);
    return lost.n === 0 ? all : active.n === 0 ? `${all}, verloren` : `${all}, ${number(lost.n)} davon verloren`;
  },
  lede: "Ein Gerät kommt dazu, wenn darauf ein Link geöffnet und auf {} getippt wird.",
  notifyMe: "Benachrichtigen",
  connect: "Gerät verbinden",
  show: "Zeigen",
  all: "Alle",
  onlyLost: "Verloren",
  list: "Geräte",
  lost: "Verloren",
  lostKept: "30 Tage aufgehoben, damit klar ist, warum",
  older: "Ältere",
  none: { title: "Kein solches Gerät", text: "Keines folgt hier einem Topic." },
  noneYet: {
    title: "So kommt das erste Telefon dazu",
    steps: [
      "Ein Topic öffnen und seinen Link nehmen, als QR-Code für die Kamera des Telefons.",
      "Auf dem Telefon öffnen. Auf einem iPhone: Teilen, Zum Home-Bildschirm, von dort öffnen.",
      "Auf Benachrichtigen tippen. Das Telefon steht dann hier und bekommt jede Nachricht des Themas.",
    ],
    https: "Telefone nehmen Pushes nur von einer Seite, die über https kam.",
    toTopics: "Ein Topic wählen",
  },
  unnamed: "Gerät ohne Namen",
  kind: { ios: "App auf iPhone oder iPad", android: "Android-App", web: "Browser" },
  kindOf: (kind, service) => `${kind}, Pushes über ${service}`,
  since: "Seit {} dabei.",
  accepted: "Angenommen {}.",
  never: "Noch wurde nichts dorthin gesendet.",
  error: "Letzter Fehler {}: {}",
  topics: (n) => (n === 0 ? "Keine Topics" : topicsCount(n)),
  takes: { low: "alles", normal: "normal und wichtiger", high: "nur wichtig und dringend", urgent: "nur dringend" },
  quiet: (from, to) => `Ruhe ${from}–${to}`,
  noQuiet: "keine Ruhezeit",
  lostAt: "Verloren {}: {}",
  lostDo: "Darauf einen Link öffnen und auf Benachrichtigen tippen.",
  test: "Test",
  testOf: (name) => `Einen Test an ${name} senden`,
  sendTest: "Test senden",
  remove: "Entfernen",
  removeOf: (name) => `${name} entfernen`,
  tested: {
    pending: "Der Test ist unterwegs.",
    reload: "Die Seite neu laden, um zu sehen, was aus ihm wurde.",
    accepted: (service) => `Test von ${service} angenommen.`,
    failed: (service) => `${service} wies den Test ab.`,
    expired: "Der Test konnte nicht rechtzeitig gesendet werden.",
    cancelled: "Der Test wurde nicht gesendet.",
    answer: "Antwort:",
    at: "Angefordert {}.",
    lostWhy: "Es ist verloren: kein Push erreicht es.",
  },
  follows: "Topics",
  add: "Topic hinzufügen",
  topic: "Topic",
  topicHint: "Sein Link, oder was an dessen Ende steht.",
  noTopicToAdd: "Es folgt schon jedem Topic, das hier zu sehen ist.",
  noTopics: "Es folgt keinem Topic, also wird nichts dorthin gesendet. Nach 30 Tagen wird es vergessen.",
  elsewhere: (n) => `Es folgt auch ${number(n)} ${n === 1 ? "Topic" : "Topics"} anderer Namensräume.`,
  asSet: "Wie für das Gerät festgelegt",
  ruled: { low: "Alles", normal: "Normal und wichtiger", high: "Nur wichtig und dringend", urgent: "Nur dringend" },
  mutedUntil: "Stumm bis {}",
  change: "Ändern",
  changeOf: (topic) => `${topic} ändern`,
  removeTopicOf: (topic, name) => `${topic} von ${name} entfernen`,
  least: "Mindestens",
  mute: "Stumm",
  mutes: {
    keep: "Wie es ist",
    off: "Nicht stumm",
    "1": "Eine Stunde",
    "8": "8 Stunden",
    "24": "Einen Tag",
    "168": "Eine Woche",
  },
  save: "Speichern",
  rules: "Was durchkommt",
  name: "Name",
  everything: "Alles",
  quietFrom: "Ruhe von",
  quietTo: "bis",
  zone: "Zeitzone",
  quietHint:
    "In der Zeitzone des Geräts. Nachrichten warten bis zum Ende; dringende kommen sofort durch. Ohne Ruhezeit beide leer lassen.",
  onlyAdmins:
    "Es folgt Topics von Namensräumen, die hier nicht zu sehen sind: Name und Ruhezeit ändert ein Admin, und nur ein Admin entfernt es.",
  pushes: "Letzte Pushes",
  allPushes: "Alle",
  noPushes: "Kein Push in den letzten 7 Tagen.",
  removeDevice: "Gerät entfernen …",
  ask: {
    question: (name) => `„${name}“ entfernen?`,
    topics: (n) => `Es folgt ${number(n)} ${n === 1 ? "Topic" : "Topics"} nicht mehr und bekommt keine Pushes mehr.`,
    waiting: "Was dafür wartet, wird nicht gesendet.",
    again: "Es kommt wieder dazu, wenn darauf ein Link geöffnet und auf Benachrichtigen getippt wird.",
    button: "Gerät entfernen",
    keep: "Gerät behalten",
  },
  wrong: {
    topic: "Das ist kein Topic, das hier zu sehen ist. Seinen Link einfügen.",
    full: "Das Topic nimmt keine weiteren Geräte, oder das Gerät keine weiteren Topics.",
    name: "Ein Name hat 1 bis 100 Zeichen.",
    quiet: "Eine Ruhezeit hat einen Beginn und ein anderes Ende, wie 22:00.",
    zone: "Keine Zeitzone dieses Namens, wie Europe/Berlin.",
    other: (detail) => detail,
  },
  flash: {
    saved: "Gespeichert.",
    added: (topic, name) => `${name} folgt jetzt ${topic}.`,
    dropped: (topic, name) => `${name} folgt ${topic} nicht mehr.`,
    removed: (name) => `${name} ist entfernt.`,
    lost: (name) =>
      `${name} ist verloren: kein Push erreicht es. Darauf einen Link öffnen und auf Benachrichtigen tippen.`,
  },
};
