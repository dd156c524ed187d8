import { lasting } from "../../lasting.ts";
import type { deliveries as en } from "../../en/dashboard/deliveries.ts";
import { number } from "../numbers.ts";

const pushes = (n: number) => `${number(n)} Push${n === 1 ? "" : "es"}`;
const after = (ms: number) =>
  ms < 1_000 ? `${number(ms)}\u00a0ms` : ms < 10_000 ? `${number(Math.round(ms / 100) / 10)}\u00a0s` : lasting(ms);

export const deliveries: typeof en = {
  heading: ({ failed, waiting, all, isMore }) => {
    const waits = `${isMore ? "mehr als " : ""}${number(waiting)} ${waiting === 1 ? "wartet" : "warten"}`;
    if (failed > 0) return `${pushes(failed)} fehlgeschlagen${waiting > 0 ? `, ${waits}` : ""}`;
    if (waiting > 0)
      return isMore
        ? `Mehr als ${pushes(waiting)} warten`
        : `${pushes(waiting)} ${waiting === 1 ? "wartet" : "warten"}`;
    return all === 0 ? "Noch keine Pushes" : "Kein Push ist fehlgeschlagen";
  },
  lede: "Warum blieb mein Telefon still? Jede Nachricht und was auf jedem Gerät aus ihr wurde, 7 Tage lang.",
  told: ({ accepted, failed, expired, cancelled, pending, all }) => {
    if (all === 0) return "Kein Gerät folgte da dem Topic.";
    const parts = [
      `Für ${number(accepted)} von ${number(all)} ${all === 1 ? "Gerät" : "Geräten"} angenommen`,
      failed > 0 && `${number(failed)} fehlgeschlagen`,
      expired > 0 && `${number(expired)} verfallen`,
      cancelled > 0 && `${number(cancelled)} nicht gesendet`,
      pending > 0 && `${number(pending)} ${pending === 1 ? "wartet" : "warten"}`,
    ];
    return `${parts.filter((part) => part !== false).join(", ")}.`;
  },
  acknowledged: "Bestätigt: {}.",
  whoWasTold: "Wer benachrichtigt wurde",
  states: {
    waiting: "Wartet",
    held: "Zurückgehalten",
    accepted: "Angenommen",
    failed: "Fehlgeschlagen",
    expired: "Verfallen",
    cancelled: "Nicht gesendet",
  },
  counted: (n, isMore) => (isMore ? `${number(n)}+` : number(n)),
  platform: "Art des Geräts",
  platforms: { ios: "iPhone-Apps", android: "Android-Apps", web: "Browser", forward: "Weiterleitungen" },
  anyPlatform: "Alle Geräte",
  onlyDevice: "Nur was an {} ging.",
  onlyTopic: "Nur das Topic {}.",
  showAll: "Alle Zustellungen zeigen",
  columns: { device: "Gerät", state: "Zustand", said: "Was der Push-Dienst sagte", action: "Aktion" },
  removedDevice: "Entferntes Gerät",
  deletedMessage: "Eine Nachricht, die gelöscht wurde",
  untitled: (id) => `Nachricht ${number(id)}`,
  retry: "Erneut senden",
  retryOf: (message, device) => `Erneut senden: ${message}, ${device}`,
  retryAll: "Alle fehlgeschlagenen erneut senden",
  retryAllOf: (message) => `Alle fehlgeschlagenen erneut senden: ${message}`,
  none: { title: "Nichts dergleichen", text: "In den letzten 7 Tagen gab es keinen solchen Push." },
  noneYet: {
    title: "Noch wurde kein Push gesendet",
    text: "Ein Push geht an jedes Gerät, das dem Topic der Nachricht folgt. Den Link zum Teilen eines Topics auf einem Telefon öffnen, auf Benachrichtigen tippen, dann etwas veröffentlichen.",
    topics: "Zu den Topics",
  },
  lookedFar: "Bisher nichts gefunden. Ältere wurden noch nicht angesehen.",
  service: { apple: "Apple", google: "Google", mozilla: "Mozilla", microsoft: "Microsoft" },
  say: {
    took: (service, ms) => `${service} hat ihn nach ${after(ms)} angenommen.`,
    tries: (n) => `Beim ${number(n)}. Versuch.`,
    shown: (ms) => `Angezeigt nach ${after(ms)}.`,
    repeated: "Wird wiederholt, bis jemand bestätigt.",
    answered: (service, status) => `${service} antwortete ${status}`,
    unreached: (service) => `${service} war nicht erreichbar`,
    waits: "Wird gesendet, sobald er an der Reihe ist.",
    nextAt: "Nächster Versuch: {}.",
    sentAt: "Wird gesendet: {}.",
    tried: (n) => `${number(n)} ${n === 1 ? "Versuch" : "Versuche"}.`,
    lost: "Das Gerät ist verloren. Darauf einen Link zum Teilen öffnen und auf Benachrichtigen tippen.",
    notConfigured: (service) => `peal hat keine Zugangsdaten für ${service}.`,
    paused: (service) => `Pushes an ${service} sind angehalten.`,
    asleep: (service) => `${service} antwortet nicht.`,
  },
  reasons: new Map([
    ["quiet hours", "Von der Ruhezeit des Geräts zurückgehalten."],
    ["its time ran out", "Er ist verfallen, bevor er gesendet werden konnte."],
    ["below the priority it shows", "Das Gerät nimmt nur wichtigere Nachrichten."],
    ["muted", "Das Topic war stummgeschaltet."],
    ["unsubscribed", "Das Gerät folgt dem Topic nicht mehr."],
    ["the message was deleted", "Die Nachricht wurde gelöscht."],
    ["somebody acknowledged it", "Jemand hatte sie bestätigt."],
    ["a newer one took its place", "Ein neuerer nahm seinen Platz ein."],
    ["the device was removed", "Das Gerät wurde entfernt."],
    ["another test was asked for", "Ein anderer Test nahm seinen Platz ein."],
    ["too many for the device", "Der Push-Dienst nimmt für dieses Gerät nicht so viele an."],
  ]),
  meanings: {
    gone: "das Gerät ist dort nicht mehr bekannt",
    noToken: "ein solches Gerät ist dort nicht bekannt",
    otherApp: "das Gerät gehört zu einer anderen App oder einem anderen Schlüssel",
    tooMany: "zu viele Pushes auf einmal",
    tooLarge: "der Push ist zu groß",
    refused: "die Zugangsdaten dieses Servers werden abgelehnt",
    broken: "der Dienst ist gerade gestört",
  },
  unreached: new Map([
    ["connection refused", "Verbindung abgelehnt"],
    ["connection closed", "Verbindung geschlossen"],
    ["host not reachable", "Rechner nicht erreichbar"],
    ["network not reachable", "Netz nicht erreichbar"],
    ["connection timed out", "keine Verbindung in der gegebenen Zeit"],
    ["no such host", "kein Rechner dieses Namens"],
    ["the name could not be looked up", "der Name ließ sich nicht auflösen"],
    ["the TLS handshake failed", "der TLS-Handshake ist gescheitert"],
    ["the proxy opened no tunnel", "der Proxy hat keinen Tunnel geöffnet"],
    ["the proxy cannot be reached", "der Proxy ist nicht erreichbar"],
    ["no answer in 15 s", "keine Antwort in 15 s"],
    ["the server stops", "dieser Server hält an"],
    ["speaks no HTTP/2", "spricht kein HTTP/2"],
    ["connection ended by GOAWAY", "Verbindung mit GOAWAY beendet"],
    ["stream reset", "Stream abgebrochen"],
    ["stream refused", "Stream abgelehnt"],
    ["stream or connection ended", "Stream oder Verbindung beendet"],
    ["certificate not valid: it has expired", "Zertifikat ungültig: abgelaufen"],
    ["certificate not valid: not yet", "Zertifikat ungültig: gilt noch nicht"],
    ["certificate not valid: it is of another name", "Zertifikat ungültig: gilt für einen anderen Namen"],
    ["certificate not valid: self-signed", "Zertifikat ungültig: selbst signiert"],
    [
      "certificate not valid: of an authority that is not trusted",
      "Zertifikat ungültig: von einer Stelle, der nicht vertraut wird",
    ],
    ["certificate not valid: its chain is not complete", "Zertifikat ungültig: seine Kette ist nicht vollständig"],
  ]),
  notes: {
    offline: "Kein Push-Dienst ist erreichbar.",
    offlineDo:
      "Was gesendet werden soll, wartet, bis das Netz wieder da ist. Erreicht dieser Rechner das Internet, und löst er Namen auf (DNS)?",
    unreachable: (service) => `${service} antwortet nicht.`,
    unreachableDo:
      "Gemeldet wird: {}. Was dorthin soll, wartet, und peal versucht es von selbst wieder. Zu tun ist nichts.",
    paused: (service) => `Pushes an ${service} sind angehalten.`,
    notConfigured: (service) => `Pushes an ${service} warten: es fehlen Zugangsdaten.`,
    notConfiguredDo: (settings) => `${settings} setzen und neu starten, sonst kommen sie zu spät.`,
  },
  flash: {
    retried: (n) =>
      `${pushes(n)} ${n === 1 ? "wartet" : "warten"} wieder und ${n === 1 ? "wird" : "werden"} jetzt gesendet.`,
    left: (n, left) =>
      `${pushes(n)} noch einmal gesendet. Bei ${number(left)} ist das nicht möglich: das Gerät ist verloren oder folgt dem Topic nicht mehr, oder jemand hat die Nachricht bestätigt.`,
  },
};
