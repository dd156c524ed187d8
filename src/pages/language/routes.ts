/** `POST /-/language`: keeps the reader's choice in a cookie. Theirs alone, so that any page may ask for it. */
import { Elysia } from "elysia";
import type { Deps } from "../../deps.ts";
import { readForm } from "../../http/body.ts";
import { contextOf } from "../../http/context.ts";
import { setCookie } from "../../http/cookie.ts";
import { ownPath } from "../../http/own-path.ts";
import { problem } from "../../http/problem.ts";
import { seeOther } from "../respond.ts";
import { isLanguage } from "../texts/languages.ts";
import { viewOf } from "../view.ts";

const YEAR_SECONDS = 31_536_000;

export const languageRoutes = (deps: Pick<Deps, "config" | "limits" | "clock">) =>
  new Elysia().post(
    "/-/language",
    async ({ request }) => {
      deps.limits.take("read", contextOf(request).address);
      const { base, url } = viewOf(deps, request);
      const form = await readForm(request);
      const language = form.get("lang");
      if (!isLanguage(language)) throw problem.notFound();
      const answer = seeOther(ownPath(form.get("to"), `${base}/`) ?? `${base}/-/`);
      const kept = { path: `${base}/`, life: YEAR_SECONDS, isSecure: url.startsWith("https:") };
      answer.headers.set("set-cookie", setCookie("lang", language, kept));
      return answer;
    },
    { parse: "none" },
  );
