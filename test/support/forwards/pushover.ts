/**
 * Pushover's API: https://pushover.net/api and /api/receipts.
 *
 *   const pushover = createPushover();
 *   await using service = await fakeService(pushover.judge);
 *   pushover.app, pushover.user                               keys that it knows
 *   pushover.messages                                         the fields of what it took
 *   pushover.acknowledge(receipt), pushover.expire(receipt)   somebody presses the button; the time is up
 *   pushover.receipts.get(receipt)?.state                     "ringing" | "acknowledged" | "expired" | "cancelled"
 */
import { characters } from "../../../src/util/schema.ts";
import type { Answer } from "../push/http2.ts";
import { json, type Posted } from "./json.ts";

export const PUSHOVER_APP = "azGDORePK8gMaC0QOYAMyEEuzJnyUi";
export const PUSHOVER_USER = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG";

interface Emergency {
  state: "ringing" | "acknowledged" | "expired" | "cancelled";
  /** How often its receipt was asked. */
  looks: number;
}

const REQUEST = "647d2300-702c-4b38-8b2f-d56326ae460b";
const refused = (status: number, errors: string[], more: object = {}): Answer =>
  json(status, { ...more, errors, status: 0, request: REQUEST });

export function createPushover() {
  const messages: Record<string, string>[] = [];
  const receipts = new Map<string, Emergency>();
  const set = (receipt: string, state: Emergency["state"]) => {
    const emergency = receipts.get(receipt);
    if (emergency?.state === "ringing") emergency.state = state;
  };

  function take(fields: Record<string, string>): Answer {
    const { token, user, message = "", title = "", url = "", url_title = "", priority = "0" } = fields;
    if (token !== pushover.app)
      return refused(400, ["application token is invalid, see https://pushover.net/api"], { token: "invalid" });
    if (user !== pushover.user)
      return refused(400, ["user identifier is not a valid user, group, or subscribed user key"], { user: "invalid" });
    if (message.trim() === "") return refused(400, ["message cannot be blank"], { message: "cannot be blank" });
    if (characters(message) > 1_024) return refused(400, ["message is too long"], { message: "is too long" });
    if (characters(title) > 250) return refused(400, ["title is too long"], { title: "is too long" });
    if (characters(url) > 512) return refused(400, ["url is too long"], { url: "is too long" });
    if (characters(url_title) > 100) return refused(400, ["url_title is too long"]);
    if (!/^(?:-2|-1|0|1|2)$/.test(priority)) return refused(400, ["priority is invalid"]);
    if (priority !== "2") {
      messages.push(fields);
      return json(200, { status: 1, request: REQUEST });
    }
    const [retry, expire] = [Number(fields["retry"]), Number(fields["expire"])];
    if (!(retry >= 30)) return refused(400, ["retry must be supplied with priority=2"], { retry: "invalid" });
    if (!(expire > 0 && expire <= 10_800)) return refused(400, ["expire must be supplied with priority=2"]);
    messages.push(fields);
    const receipt = `r${String(receipts.size).padStart(29, "0")}`;
    receipts.set(receipt, { state: "ringing", looks: 0 });
    return json(200, { receipt, status: 1, request: REQUEST });
  }

  function look(receipt: string, isKnown: boolean): Answer {
    const emergency = receipts.get(receipt);
    if (!isKnown || emergency === undefined)
      return refused(404, ["receipt not found; may be invalid or expired"], { receipt: "not found" });
    emergency.looks++;
    const { state } = emergency;
    return json(200, {
      ...{ status: 1, acknowledged: state === "acknowledged" ? 1 : 0, acknowledged_at: 0, acknowledged_by: "" },
      ...{ expired: state === "expired" || state === "cancelled" ? 1 : 0, expires_at: 0, request: REQUEST },
    });
  }

  const pushover = {
    ...{ app: PUSHOVER_APP, user: PUSHOVER_USER, messages, receipts },
    acknowledge: (receipt: string) => set(receipt, "acknowledged"),
    expire: (receipt: string) => set(receipt, "expired"),
    judge: ({ method, path, body }: Posted): Answer => {
      const url = new URL(path, "http://pushover");
      const fields = Object.fromEntries(new URLSearchParams(body));
      const [, receipt = "", cancel] = /^\/1\/receipts\/([A-Za-z0-9]{30})(\/cancel)?\.json$/.exec(url.pathname) ?? [];
      if (method === "POST" && url.pathname === "/1/messages.json") return take(fields);
      if (method === "GET" && receipt !== "" && cancel === undefined)
        return look(receipt, url.searchParams.get("token") === pushover.app);
      if (method === "POST" && cancel !== undefined) {
        if (fields["token"] !== pushover.app)
          return refused(400, ["application token is invalid"], { token: "invalid" });
        set(receipt, "cancelled");
        return json(200, { status: 1, request: REQUEST });
      }
      return refused(404, ["resource not found"]);
    },
  };
  return pushover;
}
