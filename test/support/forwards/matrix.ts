/**
 * A homeserver of Matrix, as far as clients send text: client-server API, "PUT /rooms/{roomId}/send/{eventType}/{txnId}" and
 * "Size limits"; errors as Synapse words them.
 *
 *   const matrix = createMatrix();
 *   await using service = await fakeService(matrix.judge);
 *   matrix.token, matrix.room                                 an account that is in the room
 *   matrix.events                                             what was posted, each transaction once
 *   matrix.refusal = [403, "M_FORBIDDEN", "User @peal:example.org not in room"]
 */
import type { Answer } from "../push/http2.ts";
import { json, objectIn, type Posted } from "./json.ts";

export const MATRIX_TOKEN = "syt_cGVhbA_abcdefghijklmnop_1a2b3c";
export const MATRIX_ROOM = "!abcdef:example.org";

const refused = (status: number, errcode: string, error: string, more: object = {}): Answer =>
  json(status, { errcode, error, ...more });

export function createMatrix() {
  const events: Record<string, unknown>[] = [];
  /** The event of each transaction: a client that asks again gets the same one. */
  const sent = new Map<string, string>();
  const matrix = {
    ...{ token: MATRIX_TOKEN, room: MATRIX_ROOM, events },
    refusal: undefined as [number, string, string, object?] | undefined,
    judge: ({ method, path, headers, body }: Posted): Answer => {
      const [, room, transaction] =
        /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([^/?]+)$/.exec(path) ?? [];
      if (method !== "PUT" || room === undefined || transaction === undefined)
        return refused(404, "M_UNRECOGNIZED", "Unrecognized request");
      const token = headers["authorization"];
      if (token === undefined) return refused(401, "M_MISSING_TOKEN", "Missing access token");
      if (token !== `Bearer ${matrix.token}`)
        return refused(401, "M_UNKNOWN_TOKEN", "Invalid access token passed.", { soft_logout: false });
      if (matrix.refusal !== undefined) return refused(...matrix.refusal);
      if (decodeURIComponent(room) !== matrix.room) return refused(404, "M_NOT_FOUND", "Unknown room");
      const known = sent.get(transaction);
      if (known !== undefined) return json(200, { event_id: known });
      const content = objectIn(body);
      if (typeof content["msgtype"] !== "string" || typeof content["body"] !== "string")
        return refused(400, "M_BAD_JSON", "No msgtype or body");
      if (Buffer.byteLength(body) > 65_536 - 1_024) return refused(413, "M_TOO_LARGE", "event too large");
      const id = `$${transaction}`;
      sent.set(transaction, id);
      events.push(content);
      return json(200, { event_id: id });
    },
  };
  return matrix;
}
