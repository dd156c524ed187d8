/** What a dialect's file hands to the list in all.ts: how its clients speak, and what they expect to be answered (API.md §9). */
import type { Formed } from "../../http/context.ts";
import type { Problem } from "../../http/problem.ts";
import { JSON_HEADERS } from "../../http/respond.ts";
import type { Hooked } from "../../messages/reading/hooked.ts";
import type { Taken } from "../../messages/publish.ts";
import type { Hook } from "../hook.ts";

export interface Dialect {
  /** What a body says. Undefined: its shape decides. */
  hear: Hooked["hear"];
  /** To a request that was taken. */
  taken: (taken: Taken, about: { hook: Hook; request: Request; query: URLSearchParams }) => Response;
  refused: (problem: Problem) => Formed;
  /** To a GET by which tools look whether there is a webhook; absent: they do not. */
  shown?: (hook: Hook) => Response;
}

/** Nobody keeps, indexes or passes on what a capability was answered. */
export const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

export const jsonOf = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...JSON_HEADERS, ...HEADERS } });

export const formedJson = (body: object): Formed => ({ type: "application/json", body: JSON.stringify(body) });

/** What the store keeps of what was taken. */
export function storedOf({ published }: Taken): { id: number; json: string; at: number; topic: string } {
  const { topic } = published;
  return published.kind === "stored"
    ? { id: published.message.id, json: published.message.json, at: published.message.createdAt, topic: topic.name }
    : // it has no id yet
      { id: 0, json: JSON.stringify(published.scheduled.draft), at: published.scheduled.createdAt, topic: topic.name };
}
