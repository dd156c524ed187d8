/** The script of pages that are not live: the theme, copy buttons, and forms that are sent once. */
import { startCopying } from "./copy.ts";
import { sendOnce } from "./once.ts";
import { startPage } from "./theme.ts";

startPage();
startCopying();
sendOnce();
