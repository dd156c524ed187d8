/** @jsxImportSource #jsx */
/** A problem as a page, for requests that prefer HTML. */
import type { Problem } from "../http/problem.ts";
import { Code, CopyButton, Document, Icon } from "./layout.tsx";
import type { Safe } from "./jsx/jsx-runtime.ts";
import { refusalPage } from "./respond.ts";
import { texts } from "./texts.ts";
import type { View } from "./view.ts";

/** Of a request that never got as far as a page. */
const PLAIN_VIEW: View = { url: "", base: "" };

const words = texts.error.pages;
const pages = new Map<string, { title: string; text: string }>(
  Object.entries({
    unknown_topic: words.unknown_topic,
    unknown_message: words.unknown_message,
    not_found: words.not_found,
    cross_site: words.cross_site,
    rate_limited: words.rate_limited,
    too_many_streams: words.rate_limited,
    internal: words.internal,
    unavailable: words.unavailable,
    stopping: words.stopping,
  }),
);

/** Carries the problem's status and headers. */
export function errorPage(problem: Problem, requestId: string, view: View = PLAIN_VIEW): Response {
  const { title, text } = pages.get(problem.code) ?? { title: problem.title, text: problem.detail };
  const page =
    problem.code === "not_set_up" ? (
      <NotSetUp view={view} status={problem.status} />
    ) : (
      <Document view={view} title={`${title} · peal`} frame="mid" script="page.js">
        <div class="tight">
          <p class="oops">
            {problem.status} · {texts.error.request(requestId)}
          </p>
          <h1 class="big">{title}</h1>
          <p class="lede">{text}</p>
        </div>
        <div class="line">
          {problem.status >= 500 || problem.status === 429 ? (
            <a class="btn" href="">
              <Icon view={view} name="rotate" />
              {texts.error.again}
            </a>
          ) : (
            <a class="btn" href={`${view.base}/-/`}>
              {texts.error.toStart}
            </a>
          )}
          {problem.code === "internal" && (
            <div class="copy">
              <code>{requestId}</code>
              <CopyButton view={view} label={texts.copy.number} />
            </div>
          )}
        </div>
      </Document>
    );
  return refusalPage(page, problem.status, problem.headers);
}

const NotSetUp = ({ view, status }: { view: View; status: number }): Safe => (
  <Document view={view} title={`${words.not_set_up.title} · peal`} frame="mid" script="page.js">
    <div class="tight">
      <p class="oops">{status}</p>
      <h1 class="big">{words.not_set_up.title}</h1>
      <p class="lede">
        {words.not_set_up.before}
        <code>data/setup-code</code>
        {words.not_set_up.after}
      </p>
    </div>
    <Code view={view} label={texts.command} text="peal setup-code" />
    <p class="line">
      <a class="btn main" href={`${view.base}/-/setup`}>
        {texts.error.haveCode}
      </a>
    </p>
  </Document>
);
