/** A room of Matrix (https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid). */
import { Type } from "@sinclair/typebox";
import { defined } from "../../util/defined.ts";
import { text } from "../../util/schema.ts";
import { fit } from "../push/fit.ts";
import { jsonOf, retryAfterMs, stringOf } from "../transport/answer.ts";
import { usualVerdict } from "./answers.ts";
import { type ForwardPush, type ForwardVerdict, kind } from "./kind.ts";
import { escaped, footHtml, htmlOf, linkLines, markedTitle, originOf } from "./reading.ts";

export const matrix = kind({
  name: "matrix",
  title: "Matrix",
  settings: Type.Object({
    server: text({ minLength: 1, maxLength: 500, description: "The address that clients of the account use." }),
    access_token: text({ pattern: "^[!-~]{8,1000}$", description: "Of an account that is in the room." }),
    room: text({ pattern: "^![^\\s]{1,254}$", description: "The room's internal id, which begins with `!`." }),
  }),
  secrets: ["access_token"],
  form: {
    server: {
      label: { en: "Homeserver", de: "Homeserver" },
      hint: {
        en: "The address of the server itself, which can differ from the one in the user id.",
        de: "Die Adresse des Servers selbst; sie kann von der in der Benutzer-ID abweichen.",
      },
      example: "https://matrix.example.org",
    },
    access_token: {
      label: { en: "Access token", de: "Access-Token" },
      hint: {
        en: "Use an account of its own. In Element: All settings, Help & About, Access Token. Then close the window without signing out. On matrix.org it ends after minutes: the manual says how to get another.",
        de: "Am besten ein eigenes Konto. In Element: Alle Einstellungen, Hilfe und Info, Zugriffstoken. Danach das Fenster schließen, ohne sich abzumelden. Auf matrix.org gilt es nur Minuten: Das Handbuch sagt, wie man ein anderes bekommt.",
      },
      example: "syt_cGVhbA_abcdefghijklmnop_1a2b3c",
    },
    room: {
      label: { en: "Room id", de: "Raum-ID" },
      hint: {
        en: "In Element: the room's settings, Advanced, Internal room ID. Rooms must not be encrypted, and the account has to be in the room.",
        de: "In Element: Raumeinstellungen, Erweitert, Interne Raum-ID. Der Raum darf nicht verschlüsselt sein, und das Konto muss im Raum sein.",
      },
      example: "!abcdef:example.org",
    },
  },
  destination: ({ server }) => server.replace(/\/+$/, ""),
  // an account that was put out of one room still works in others
  account: ({ access_token, room }) => `${access_token} ${room}`,
  repeats: "once",
  digests: true,
  // a repeat has the same transaction id, so that the server posts it once and answers with the same event
  request: (push, { server, access_token, room }) => ({
    method: "PUT",
    url: `${server.replace(/\/+$/, "")}/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${push.id}`,
    headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    body: fit(push, MAX_BYTES, (shown, more) => contentOf({ ...push, notification: shown }, !more)),
  }),
  verdict: (response, push) => {
    const answer = jsonOf(response);
    const [id, code, error] = [answer["event_id"], answer["errcode"], answer["error"]].map(stringOf);
    if (response.status === 200 && id !== "") return defined({ kind: "accepted", id });
    if (response.status < 300)
      return {
        kind: "pause",
        reason: "not Matrix",
        tell: "What answers is not a Matrix homeserver: check its address.",
      };
    const said = [code, error].filter(Boolean).join(": ");
    const mend = TO_MEND.get(code ?? "");
    if (mend !== undefined)
      return { kind: "pause", reason: said, tell: `${mend} The homeserver says: ${said}` } satisfies ForwardVerdict;
    if (code === "M_RESOURCE_LIMIT_EXCEEDED") return { kind: "retry", scope: "lane", reason: said };
    return usualVerdict(response, push, MENDS, { said, afterMs: waitOf(response) });
  },
});

const MENDS = {
  service: "The homeserver",
  credentials: "Check the access token, and whether the account may write in the room.",
  address: "There is no Matrix homeserver at this address, or no such room: check both.",
};

const TOKEN =
  "The access token is no longer valid: sign in again, and enter the new one. Element's own may last for minutes only.";
const ACCOUNT = "The homeserver has locked the account: ask whoever runs it.";

/** Source: https://spec.matrix.org/latest/client-server-api/#standard-error-response. */
const TO_MEND: ReadonlyMap<string, string> = new Map([
  ["M_UNKNOWN_TOKEN", TOKEN],
  ["M_MISSING_TOKEN", TOKEN],
  ["M_FORBIDDEN", "The account may not write in the room: invite it, let it join, and check its rights."],
  ["M_NOT_FOUND", "Check the room id: the homeserver doesn't know the room."],
  ["M_UNRECOGNIZED", "Check the address of the homeserver: it doesn't speak this version of Matrix."],
  ["M_INVALID_PARAM", "Check the room id: it is the internal one, which begins with `!`."],
  ["M_USER_DEACTIVATED", ACCOUNT],
  ["M_USER_LOCKED", ACCOUNT],
  ["M_USER_SUSPENDED", ACCOUNT],
  ["M_CONSENT_NOT_GIVEN", "The account has to accept the homeserver's terms: open it in a Matrix app."],
]);

/** Homeservers of before 1.10 say it in the body. */
function waitOf(response: Parameters<typeof retryAfterMs>[0] & { body: string }): number | undefined {
  const ms = jsonOf(response)["retry_after_ms"];
  return retryAfterMs(response) ?? (typeof ms === "number" && ms >= 0 ? Math.ceil(ms) : undefined);
}

/** An event may have 65,536 bytes with all that the homeserver adds (Matrix, "Size limits"). */
const MAX_BYTES = 60_000;

/** Long texts come unformatted, as there is no room for them twice. A notice is shown without a sound. */
function contentOf(push: ForwardPush, isFormatted: boolean): object {
  const { notification } = push;
  const title = markedTitle(notification);
  const lines = [title, notification.body, originOf(notification) ?? "", ...linkLines(notification)];
  const plain = lines.filter((line) => line.trim() !== "").join("\n");
  const foot = footHtml(notification);
  const formatted = `<p><strong>${escaped(title)}</strong></p>${htmlOf(push)}${foot === "" ? "" : `<p>${foot}</p>`}`;
  return {
    msgtype: notification.priority === "low" ? "m.notice" : "m.text",
    body: plain,
    ...(isFormatted && { format: "org.matrix.custom.html", formatted_body: formatted }),
    "m.mentions": {}, // nobody is pinged by what a message happens to say
  };
}
