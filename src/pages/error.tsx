/** @jsxImportSource #jsx */
/** A problem as a page, for requests that prefer HTML. */
import type { Problem } from "../http/problem.ts";
import { Code, CopyButton, Document, Icon } from "./layout.tsx";
import type { Safe } from "./jsx/jsx-runtime.ts";
import { refusalPage } from "./respond.ts";
import type { View } from "./view.ts";

/** The text of the catalogue for a problem, by its code. */
const PAGES = new Map(
  Object.entries({
    unknown_topic: "unknown_topic",
    publish_by_post: "publish_by_post",
    unknown_message: "unknown_message",
    not_found: "not_found",
    sign_in_needed: "sign_in_needed",
    cross_site: "cross_site",
    rate_limited: "rate_limited",
    too_many_streams: "rate_limited",
    busy: "busy",
    internal: "internal",
    unavailable: "unavailable",
    sign_in_busy: "sign_in_busy",
    stopping: "stopping",
  } as const),
);

/** Carries the problem's status and headers. */
export function errorPage(problem: Problem, requestId: string, view: View): Response {
  const words = view.texts.error;
  const known = PAGES.get(problem.code);
  const own = known === undefined ? { title: words.titles.get(problem.status) } : words.pages[known];
  const title = own.title ?? <span lang="en">{problem.title}</span>;
  const page =
    problem.code === "not_set_up" ? (
      <NotSetUp view={view} status={problem.status} />
    ) : (
      <Document view={view} title={`${own.title ?? problem.title} · peal`} frame="mid" script="page.js">
        <div class="tight">
          <h1 class="big">{title}</h1>
          {"text" in own ? (
            <p class="lede">{own.text}</p>
          ) : (
            <p class="lede" lang="en">
              {problem.detail}
            </p>
          )}
          <p class="oops">
            {problem.status} · {words.request(requestId)}
          </p>
        </div>
        <div class="line">
          {problem.code === "sign_in_needed" && (
            <a class="btn main" href={`${view.base}/-/login`} target="_blank" rel="noopener">
              {view.texts.signin.signIn}
            </a>
          )}
          {view.here !== undefined && (problem.status >= 500 || problem.status === 429) ? (
            <a class="btn" href={view.here}>
              <Icon view={view} name="rotate" />
              {words.again}
            </a>
          ) : (
            <a class="btn" href={`${view.base}/-/`}>
              {words.toStart}
            </a>
          )}
          {problem.code === "internal" && (
            <div class="copy">
              <code>{requestId}</code>
              <CopyButton view={view} label={view.texts.copy.number} />
            </div>
          )}
        </div>
      </Document>
    );
  return refusalPage(page, problem.status, problem.headers);
}

const NotSetUp = ({ view, status }: { view: View; status: number }): Safe => {
  const words = view.texts.error.pages.not_set_up;
  return (
    <Document view={view} title={`${words.title} · peal`} frame="mid" script="page.js">
      <div class="tight">
        <h1 class="big">{words.title}</h1>
        <p class="lede">
          {words.before}
          <code>data/setup-code</code>
          {words.after}
        </p>
        <p class="oops">{status}</p>
      </div>
      <Code view={view} label={view.texts.command} text="peal setup-code" />
      <p class="line">
        <a class="btn main" href={`${view.base}/-/setup`}>
          {view.texts.error.haveCode}
        </a>
      </p>
    </Document>
  );
};
