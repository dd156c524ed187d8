/** What the file of a dialect says: how its clients speak, and what answers they expect (API.md §9). */
import type { Formed } from "../../http/context.ts";
import type { Problem } from "../../http/problem.ts";
import { JSON_HEADERS } from "../../http/respond.ts";
import type { Hooked } from "../../messages/reading/hooked.ts";
import type { Taken } from "../../messages/publish.ts";
import type { Hook } from "../hook.ts";

export interface Dialect {
  /** What a body says. Undefined: its shape decides. */
  hear: Hooked["hear"];
  /** The answer to a request that was taken. */
  taken: (taken: Taken, about: { hook: Hook; request: Request; query: URLSearchParams }) => Response;
  refused: (problem: Problem) => Formed;
  /** The answer to a GET by which tools look for the webhook; absent if they do not. */
  shown?: (hook: Hook) => Response;
}

/** Nobody may keep, index or pass on the answer to a capability. */
export const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

export const jsonOf = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...JSON_HEADERS, ...HEADERS } });

export const formedJson = (body: object): Formed => ({ type: "application/json", body: JSON.stringify(body) });

/** The record that the store keeps of what was taken. */
export function storedOf({ published }: Taken): { id: number; json: string; at: number; topic: string } {
  const { topic } = published;
  return published.kind === "stored"
    ? { id: published.message.id, json: published.message.json, at: published.message.createdAt, topic: topic.name }
    : // a message that waits has no id yet
      { id: 0, json: JSON.stringify(published.scheduled.draft), at: published.scheduled.createdAt, topic: topic.name };
}
