import type { devices as en } from "../../en/dashboard/devices.ts";
import { number } from "../numbers.ts";

const devicesCount = (n: number) => `${number(n)} ${n === 1 ? "Gerät" : "Geräte"}`;
const topicsCount = (n: number) => `${number(n)} ${n === 1 ? "Topic" : "Topics"}`;

export const devices: typeof en = {
  heading: (active, lost) => {
    const all = devicesCount(active + lost);
    if (active + lost === 0) return "Noch keine Geräte";
    return lost === 0 ? all : active === 0 ? `${all}, verloren` : `${all}, ${number(lost)} davon verloren`;
  },
  lede: "Ein Gerät kommt dazu, wenn darauf ein Link zum Teilen geöffnet und auf {} getippt wird.",
  notifyMe: "Benachrichtigen",
  connect: "Gerät verbinden",
  onlyLost: "Verloren",
  lost: "Verloren",
  lostKept: "30 Tage aufgehoben, damit klar ist, warum",
  none: { title: "Kein solches Gerät", text: "Keines folgt hier einem Topic." },
  noneYet: {
    title: "So kommt das erste Telefon dazu",
    steps: [
      "Ein Topic öffnen und seinen Link zum Teilen nehmen, als QR-Code für die Kamera des Telefons.",
      "Auf dem Telefon öffnen. Auf einem iPhone: Teilen, Zum Home-Bildschirm, von dort öffnen.",
      "Auf Benachrichtigen tippen. Das Telefon steht dann hier und bekommt jede Nachricht des Topics.",
    ],
    https:
      "Browser auf Telefonen nehmen Pushes nur über https an. Die ntfy-App kommt ohne aus: Wie, steht beim Topic unter „Teilen“.",
    toTopics: "Ein Topic wählen",
  },
  unnamed: "Gerät ohne Namen",
  kind: { ios: "App auf iPhone oder iPad", android: "Android-App", web: "Browser", forward: "Weiterleitung" },
  forwardTo: (service, host) => `Weiterleitung an ${service}, ${host}`,
  kindOf: (kind, service) => `${kind}, Pushes über ${service}`,
  since: "Seit {} dabei.",
  accepted: "Angenommen {}.",
  never: "Noch wurde kein Push angenommen.",
  error: "Letzter Fehler {}: {}",
  topics: (n) => (n === 0 ? "Keine Topics" : topicsCount(n)),
  takes: { low: "alles", normal: "normal und höher", high: "nur hoch und dringend", urgent: "nur dringend" },
  quiet: (from, to) => `Ruhe ${from}–${to}`,
  noQuiet: "keine Ruhezeit",
  lostAt: "Verloren {}: {}",
  gone: (service) => `${service} kennt es nicht mehr, meist weil die App entfernt wurde`,
  ended: (service) => `${service} sagt, das Abo ist beendet, meist weil Websitedaten gelöscht wurden`,
  lostDo: "Darauf einen Link zum Teilen öffnen und auf Benachrichtigen tippen.",
  test: "Test",
  testOf: (name) => `Einen Test an ${name} senden`,
  remove: "Entfernen",
  tested: {
    pending: "Der Test ist unterwegs.",
    stuck: "Der Test ist noch nicht durchgekommen.",
    reload: "Die Seite neu laden, um zu sehen, was aus ihm wurde.",
    accepted: (service) => `Test von ${service} angenommen.`,
    failed: (service) => `${service} hat den Test abgelehnt.`,
    expired: "Der Test konnte nicht rechtzeitig gesendet werden.",
    cancelled: "Der Test wurde nicht gesendet.",
    answer: "Antwort:",
    at: "Angefordert {}.",
  },
  follows: "Topics",
  add: "Topic hinzufügen",
  topic: "Topic",
  topicHint: "Sein Link zum Teilen, oder was an dessen Ende steht.",
  noTopicToAdd: "Es folgt schon jedem Topic, das hier zu sehen ist.",
  noTopics: "Es folgt keinem Topic, also wird ihm nichts gesendet. Nach 30 Tagen wird es vergessen.",
  elsewhere: (n) => `Es folgt auch ${number(n)} ${n === 1 ? "Topic" : "Topics"} anderer Namensräume.`,
  asSet: "Wie für das Gerät festgelegt",
  ruled: { low: "Alles", normal: "Normal und höher", high: "Nur hoch und dringend", urgent: "Nur dringend" },
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
  rules: "Was durchkommt",
  quietFrom: "Ruhe von",
  quietTo: "bis",
  quietHint:
    "In der Zeitzone des Geräts. Nachrichten warten bis zum Ende; dringende kommen sofort durch. Ohne Ruhezeit beide leer lassen.",
  onlyAdmins:
    "Es folgt Topics von Namensräumen, die hier nicht zu sehen sind: Nur ein Admin ändert Name und Ruhezeit oder entfernt es.",
  pushes: "Letzte Pushes",
  noPushes: "Kein Push in den letzten 7 Tagen.",
  removeDevice: "Gerät entfernen …",
  ask: {
    question: (name) => `„${name}“ entfernen?`,
    topics: (n) => `Es folgt ${number(n)} ${n === 1 ? "Topic" : "Topics"} nicht mehr und bekommt keine Pushes mehr.`,
    waiting: "Was noch wartet, wird nicht gesendet.",
    again: "Es kommt wieder dazu, wenn darauf ein Link zum Teilen geöffnet und auf Benachrichtigen getippt wird.",
    button: "Gerät entfernen",
    keep: "Gerät behalten",
  },
  wrong: {
    topic: "Ein solches Topic ist hier nicht zu sehen. Seinen Link zum Teilen einfügen.",
    full: "Das Topic nimmt keine weiteren Geräte auf, oder das Gerät keine weiteren Topics.",
    name: "Ein Name hat 1 bis 100 Zeichen.",
    quiet: "Eine Ruhezeit braucht einen Beginn und ein anderes Ende, etwa 22:00 und 07:00.",
    zone: "Diese Zeitzone gibt es nicht. Richtig wäre etwa Europe/Berlin.",
  },
  flash: {
    saved: "Gespeichert.",
    added: (topic, name) => `${name} folgt jetzt ${topic}.`,
    dropped: (topic, name) => `${name} folgt ${topic} nicht mehr.`,
    removed: (name) => `${name} ist entfernt.`,
    lost: (name) =>
      `${name} ist verloren: kein Push erreicht es. Darauf einen Link zum Teilen öffnen und auf Benachrichtigen tippen.`,
  },
};
