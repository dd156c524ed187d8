/** Pages of the dashboard. Without this script they are whole. */
import { startCopying } from "./copy.ts";
import { startPage } from "./theme.ts";
import { localize } from "./times.ts";

startPage();
startCopying();
localize(document);
