import { numbersOf } from "../numbers.ts";

export const { number, count } = numbersOf("en-GB");
