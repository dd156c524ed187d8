/** Numbers as sentences have them: before a noun that is masculine or feminine. */
import { number } from "./numbers.ts";

const WORDS = [
  "kein",
  "ein",
  "zwei",
  "drei",
  "vier",
  "fünf",
  "sechs",
  "sieben",
  "acht",
  "neun",
  "zehn",
  "elf",
  "zwölf",
];

export const spelled = (n: number): string => WORDS[n] ?? number(n);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
