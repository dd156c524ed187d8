/** Alerts and groups as Alertmanager posts them, for tables. */
import type { Draft } from "../../src/drafts/draft.ts";
import { draftOf, NOW } from "./support.ts";

export type Part = Record<string, unknown>;

export const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
export const firing = (labels: Part = {}, rest: Part = {}): Part => ({ status: "firing", labels, ...rest });
export const over = (labels: Part = {}, rest: Part = {}): Part => ({ status: "resolved", labels, ...rest });
export const said = (summary: string): Part => ({ annotations: { summary } });

/** The message for a group with a key. */
export const draft = (alerts: Part[], rest: Part = {}): Draft =>
  draftOf("alertmanager", { groupKey: "k", alerts, ...rest });
