/** @jsxImportSource #jsx */
/** The first steps that are left to do; gone once all are done, or when the reader hides them. */
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import type { Started } from "./gather.ts";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";

const STEPS = ["message", "device", "check", "https"] as const;
const WHERE = { message: "/-/topics", device: "/-/devices", check: "/-/checks", https: "/-/settings" } as const;
/** The screens of the first run are for admins. */
const WHERE_ADMINS = {
  ...WHERE,
  message: "/-/setup/message",
  device: "/-/setup/phone",
  https: "/-/setup/phone",
} as const;

export const GetStarted = ({ desk, started }: { desk: Desk; started: Started }): Safe => {
  const { view, visitor } = desk;
  const where = visitor.person.isAdmin ? WHERE_ADMINS : WHERE;
  const region = { id: "start", "data-live": "message device check topic" };
  const { start: words } = view.texts.overview;
  const steps = STEPS.filter((step) => step !== "https" || visitor.person.isAdmin); // nobody else can do that
  const done = steps.filter((step) => started[step]).length;
  if (done === steps.length) return <div {...region} />;
  return (
    <section class="panel" aria-labelledby="start-h" {...region}>
      <header>
        <h2 id="start-h">{words.title}</h2>
        <span class="dim">{words.done(done, steps.length)}</span>
        <form method="post" action={deskLink(desk, "/-/started")}>
          <Submit class="btn bare" words={words.hide} />
        </form>
      </header>
      <ul class="rows">
        {steps.map((step) => (
          <li class="row">
            <div class="line top-l">
              <Icon view={view} name={started[step] ? "success" : "new"} large />
              {started[step] ? (
                <span class="dim">{words[step]}</span>
              ) : (
                <Link desk={desk} to={where[step]} class="name" words={words[step]} />
              )}
            </div>
            {started[step] ? <span class="dim">{words.isDone}</span> : <Icon view={view} name="right" />}
          </li>
        ))}
      </ul>
    </section>
  );
};
