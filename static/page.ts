/** Pages without a life of their own: theme and copy buttons. */
import { startCopying } from "./copy.ts";
import { sendOnce } from "./once.ts";
import { startPage } from "./theme.ts";

startPage();
startCopying();
sendOnce();
