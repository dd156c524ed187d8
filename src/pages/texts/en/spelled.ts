/** Numbers as sentences have them. */
import { number } from "./numbers.ts";

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** `two`, `13`. */
export const spelled = (n: number): string => WORDS[n] ?? number(n);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
