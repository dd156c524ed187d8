/** Gatus: its n8n and Zapier providers, and its posts to the webhooks of chats (REWRITES.md §8). */
import { field, lineAt, listAt, object, objectAt, objectsAt, proseAt, scalarAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { plain } from "../../markup.ts";
import type { Source } from "../../tool.ts";
import { line, unmaskedProse } from "../../text.ts";
import { instant } from "../../times.ts";
import { present } from "../../told.ts";
import { link } from "../../urls.ts";

export const gatus: Source<"gatus"> = {
  name: "gatus",
  title: "Gatus",
  fits: (payload) => alertOf(payload) !== undefined,
  tell(payload, { now }) {
    const alert = alertOf(payload);
    if (alert === undefined) return undefined;
    const { name, isResolved, times, description, failed } = alert;
    return {
      title: `${name} ${isResolved ? "is healthy again" : "is failing"}`,
      lines: [
        times && `${isResolved ? "Passed" : "Failed"} ${times} ${times === "1" ? "time" : "times"} in a row`,
        description,
        ...(isResolved ? [] : failed.slice(0, MAX_CONDITIONS).map((condition) => `❌ ${condition}`)),
      ],
      ...(isResolved ? looks.WELL : looks.BROKEN),
      tags: ["gatus"],
      url: link(alert.url),
      key: `gatus:${name}`,
      at: instant(field(payload, "timestamp"), now),
      data: present({ endpoint: name, conditions: present({ failed: failed.length }) }),
    };
  },
};

interface Alert {
  /** With its group, as Gatus shows it. */
  name: string;
  isResolved: boolean;
  times: string | undefined;
  description: string | undefined;
  failed: readonly string[];
  url: string | undefined;
}

const MAX_CONDITIONS = 8;
const MAX_READ = 50;

const alertOf = (payload: Fields): Alert | undefined => ofN8n(payload) ?? ofZapier(payload) ?? ofChat(payload);

const TIMES = /(\d{1,6}) time\(s\) in a row/;
const timesIn = (payload: Fields) => TIMES.exec(lineAt(payload, "message") ?? "")?.[1];

const failedOf = (payload: Fields): string[] =>
  objectsAt(payload, "condition_results", MAX_READ)
    .filter((each) => field(each, "success") === false)
    .map((each) => lineAt(each, "condition") ?? "");

function ofN8n(payload: Fields): Alert | undefined {
  const name = lineAt(payload, "endpoint_name");
  const isResolved = field(payload, "resolved");
  if (name === undefined || typeof isResolved !== "boolean" || !Object.hasOwn(payload, "endpoint_url"))
    return undefined;
  const group = lineAt(payload, "endpoint_group");
  return {
    name: group === undefined ? name : `${group}/${name}`,
    isResolved,
    times: timesIn(payload),
    description: proseAt(payload, "alert_description"),
    failed: failedOf(payload),
    url: scalarAt(payload, "endpoint_url"),
  };
}

function ofZapier(payload: Fields): Alert | undefined {
  const name = lineAt(payload, "endpoint");
  const type = field(payload, "alert_type");
  if (
    name === undefined ||
    (type !== "resolved" && type !== "triggered") ||
    !Object.hasOwn(payload, "total_conditions")
  )
    return undefined;
  return {
    name,
    isResolved: type === "resolved",
    times: timesIn(payload),
    description: proseAt(payload, "description"),
    failed: failedOf(payload),
    url: undefined,
  };
}

const BEGINNING = "An alert for *";
/** In one line, with the name in the bold of each chat. */
const SENTENCE =
  /^An alert for \*{1,2}(.{1,200}?)\*{1,2} has been (resolved after passing successfully|triggered due to having failed) (\d{1,6}) time\(s\) in a row\.?(?::\s*(?:> )?([^]*))?$/;
const FAILED = /^(?::x:|❌|&#x274C;) - `?(.{1,500}?)`?$/;

/** The same sentence in Slack, Mattermost, Rocket.Chat, Discord and Teams; its conditions are in another field. */
function ofChat(payload: Fields): Alert | undefined {
  const cards = cardsOf(payload);
  for (const card of cards) {
    const [, name = "", outcome = "", times, description = ""] = SENTENCE.exec(sentenceIn(card)) ?? [];
    if (name === "") continue;
    const fields = [...listAt(card, "fields"), ...listAt(card, "sections")].slice(0, MAX_READ).map(object);
    const lines = fields.flatMap((each) => textAt(each, "value", "text").split(/\n|<br\/>/)).slice(0, MAX_READ);
    return {
      name: line(name),
      isResolved: outcome.startsWith("resolved"),
      times,
      description: plain(description) || cards.map(describedIn).find((each) => each !== undefined),
      failed: [...lines.map((each) => line(FAILED.exec(each.trim())?.[1] ?? "")), ...failedFacts(payload)].filter(
        Boolean,
      ),
      url: undefined,
    };
  }
  return undefined;
}

/** Where the sentence may be: in a message card, an attachment, an embed, or an element of an adaptive card. */
function cardsOf(payload: Fields): Fields[] {
  const attached = [...listAt(payload, "attachments"), ...listAt(payload, "embeds")].slice(0, 3).filter(isObject);
  return [payload, ...attached, ...attached.flatMap(elementsOf)];
}

/** Gatus nests them to a fixed depth. */
const elementsOf = (attachment: Fields): Fields[] =>
  ["items", "items"].reduce(
    (containers, name) => containers.flatMap((each) => objectsAt(each, name, MAX_READ)).slice(0, MAX_READ),
    objectsAt(objectAt(attachment, "content"), "body", MAX_READ),
  );

const DESCRIBED = "**Description**: ";

/** In Teams' workflows it is in a separate element. */
function describedIn(element: Fields): string | undefined {
  const text = field(element, "text");
  return typeof text === "string" && text.startsWith(DESCRIBED)
    ? plain(unmaskedProse(text.slice(DESCRIBED.length))) || undefined
    : undefined;
}

const failedFacts = (payload: Fields): string[] =>
  listAt(payload, "attachments")
    .slice(0, 3)
    .flatMap((each) => elementsOf(object(each)))
    .flatMap((element) => listAt(element, "facts").slice(0, MAX_READ))
    .map(object)
    .filter((fact) => field(fact, "title") === "❌")
    .map((fact) => lineAt(fact, "value") ?? "");

/** It is looked for in every body of every tool, so only text that begins like it is cleaned. */
function sentenceIn(card: Fields): string {
  const texts = [field(card, "text"), field(card, "description")];
  return unmaskedProse(
    texts.find((text): text is string => typeof text === "string" && text.startsWith(BEGINNING)) ?? "",
  );
}

function textAt(fields: Fields, ...names: string[]): string {
  const text = names.map((name) => field(fields, name)).find((value) => typeof value === "string");
  return typeof text === "string" ? unmaskedProse(text) : "";
}
