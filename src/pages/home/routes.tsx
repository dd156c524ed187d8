/** @jsxImportSource #jsx */
/** Where a person lands who knows only the server's address. */
import { Elysia } from "elysia";
import type { Deps } from "../../deps.ts";
import { contextOf } from "../../http/context.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Document } from "../layout.tsx";
import { pages, seeOther, show } from "../respond.ts";
import { SnippetTabs, ToolSettings } from "../snippets.tsx";
import { viewOf, type View } from "../view.ts";

type HomeDeps = Pick<Deps, "config" | "store" | "limits">;

export const homeRoutes = (deps: HomeDeps) =>
  new Elysia()
    .use(pages)
    .get("/", ({ request }) => seeOther(`${viewOf(deps, request).base}/-/`))
    .get("/-", ({ request }) => seeOther(`${viewOf(deps, request).base}/-/`))
    .get("/-/", async ({ request, set, html }) => {
      deps.limits.take("read", contextOf(request).address);
      const view = viewOf(deps, request);
      const { claimed, keys } = deps.store.setup.state();
      if (!claimed && !keys) return seeOther(`${view.base}/-/setup`);
      return show({ set, html }, <HomePage view={view} isClaimed={claimed} />);
    });

const HomePage = ({ view, isClaimed }: { view: View; isClaimed: boolean }): Safe => {
  const words = view.texts.home;
  return (
    <Document view={view} title="peal" frame="mid" script="page.js">
      <div class="tight">
        <h1>{words.title}</h1>
        <p class="lede">{words.lede}</p>
      </div>
      <section class="panel" aria-labelledby="publish">
        <header>
          <h2 id="publish">{words.publish}</h2>
        </header>
        <div class="in">
          <SnippetTabs view={view} target={{ url: `${view.url}/home/hello`, text: view.texts.setup.itWorks }} />
          <p class="hint">{words.publishHint}</p>
        </div>
      </section>
      <ToolSettings view={view} url={`${view.url}/home`} />
      <section class="tight">
        <h2>{words.read}</h2>
        <p class="soft">
          {words.readBefore}
          <code>topic_url</code>
          {words.readAfter}
        </p>
      </section>
      <p class="line">
        <a class="btn" href={`${view.base}/docs`}>
          {words.docs}
        </a>
        {!isClaimed && (
          <a class="btn" href={`${view.base}/-/setup`}>
            {view.texts.error.haveCode}
          </a>
        )}
      </p>
    </Document>
  );
};
