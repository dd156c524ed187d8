/** Where a sign-in leads to: chosen by a link, so that it may lead nowhere else (CWE-601). */
import { isAmbiguous } from "../http/path.ts";

const START = "/-/";
const MAX = 4_096;

/** A path of the dashboard with its query, below the base path; whatever else was asked for is the dashboard's start. */
export function targetOf(to: string | null): string {
  if (to === null || to.length > MAX || !/^\/-\/[!-~]*$/.test(to)) return START;
  const [path = ""] = to.split("?", 1);
  return isAmbiguous(path) ? START : to;
}
