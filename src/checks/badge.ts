/** The badge of a check, which shows anybody its state and nothing else (CHECKINS.md §3). Pure. */
import { characters } from "../util/schema.ts";
import type { Badge } from "./schema.ts";

export type BadgeState = Badge["state"];

/** The colours of each state: the name that shields.io uses, and the fill. */
const COLORS: Record<BadgeState, { color: string; fill: string }> = {
  up: { color: "brightgreen", fill: "#2a7d2a" },
  late: { color: "yellow", fill: "#8a6a00" },
  down: { color: "red", fill: "#c0392b" },
  paused: { color: "lightgrey", fill: "#6b7280" },
  new: { color: "lightgrey", fill: "#6b7280" },
};

export const DEFAULT_LABEL = "check";
export const MAX_LABEL_CHARACTERS = 40;

export const badgeJson = (state: BadgeState, label: string): Badge => ({
  ...{ state, schemaVersion: 1, label },
  ...{ message: state, color: COLORS[state].color },
});

const HEIGHT = 20;
const PADDING = 6;
/** The width of a character at 11 px; `textLength` makes up for other fonts. */
const CHARACTER = 6.5;

/** An image of two fields side by side. It loads and runs nothing. */
export function badgeSvg(state: BadgeState, label: string): string {
  const left = field(label);
  const right = field(state);
  const width = left.width + right.width;
  const name = Bun.escapeHTML(`${label}: ${state}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<rect width="${width}" height="${HEIGHT}" rx="3" fill="#444"/>`,
    `<rect x="${left.width}" width="${right.width}" height="${HEIGHT}" rx="3" fill="${COLORS[state].fill}"/>`,
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    left.text(0),
    right.text(left.width),
    `</g></svg>`,
  ].join("");
}

function field(text: string): { width: number; text: (x: number) => string } {
  const length = Math.ceil(characters(text) * CHARACTER);
  return {
    width: length + 2 * PADDING,
    text: (x) => `<text x="${x + PADDING}" y="14" textLength="${length}">${Bun.escapeHTML(text)}</text>`,
  };
}
