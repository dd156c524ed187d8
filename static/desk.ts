/** The script of the dashboard's pages, which also work without it. */
import { startApp } from "./app.ts";
import { startCopying } from "./copy.ts";
import { startFind } from "./find.ts";
import { startFlash } from "./flash.ts";
import { startLive } from "./live.ts";
import { startMapping } from "./mapping.ts";
import { startRuns } from "./runs.ts";
import { sendOnce } from "./once.ts";
import { startPage } from "./theme.ts";
import { startTimes } from "./times.ts";

startPage();
startApp();
startCopying();
startTimes();
startFlash();
startFind();
startMapping();
startRuns();
sendOnce();
if (document.querySelector("[data-connection]")) startLive(document.documentElement.dataset["base"] ?? "");
