/** `POST /-/language`: keeps the reader's choice in a cookie. Theirs alone, so that any page may ask for it. */
import type { Deps } from "../../deps.ts";
import { readForm } from "../../http/body.ts";
import { setCookie } from "../../http/cookie.ts";
import { ownPath } from "../../http/own-path.ts";
import { problem } from "../../http/problem.ts";
import { endpointsOf, routesOf } from "../../keys/endpoint.ts";
import { seeOther } from "../respond.ts";
import { isLanguage } from "../texts/languages.ts";
import { viewOf } from "../view.ts";

const YEAR_SECONDS = 31_536_000;

type LanguageDeps = Pick<Deps, "config" | "clock" | "store" | "keyUse" | "limits" | "log">;

const choose = endpointsOf<LanguageDeps>()("POST /-/language", {
  scope: "none",
  limit: ["read"],
  handle: async ({ deps, request }) => {
    const { base, url } = viewOf(deps, request);
    const form = await readForm(request);
    const language = form.get("lang");
    if (!isLanguage(language)) throw problem.notFound();
    const answer = seeOther(ownPath(form.get("to"), `${base}/`) ?? `${base}/-/`);
    const kept = { path: `${base}/`, life: YEAR_SECONDS, isSecure: url.startsWith("https:") };
    answer.headers.set("set-cookie", setCookie("lang", language, kept));
    return answer;
  },
});

export const languageRoutes = (deps: LanguageDeps) => routesOf(deps, [choose]);
