/** @jsxImportSource #jsx */
/** When a check was down, and what happened to it, newest first: a run is one row. */
import type { PingBody } from "../../../../checks/check.ts";
import type { PastIncident } from "../../../../store/checks.ts";
import { fill } from "../../../elements/fill.ts";
import type { Child, Safe } from "../../../jsx/jsx-runtime.ts";
import { Icon } from "../../../layout.tsx";
import { Ago, BriefTime } from "../../../elements/times.tsx";
import type { View } from "../../../view.ts";
import type { Desk } from "../../signed-in.ts";
import { deskLink } from "../../frame/filter.ts";
import type { LogRow } from "./log-rows.ts";
import { pathOf } from "../on-check.ts";
import { Table } from "../phone-table.tsx";
import type { Whole, Shown } from "./gather.ts";

export const Incidents = ({ desk, whole: { incidents } }: Shown): Safe => {
  const { view } = desk;
  const { incidents: say } = view.texts.checks;
  return (
    <section class="panel" aria-labelledby="incidents" id="check-incidents" data-live="check">
      <header>
        <h2 id="incidents">{say.title}</h2>
      </header>
      {incidents.length === 0 ? (
        <p class="in soft">{say.none}</p>
      ) : (
        <Table
          heads={[say.went, say.why, say.downFor]}
          rows={incidents.map((incident) => [
            <Ago view={view} at={incident.openedAt} />,
            [why(desk, incident), asides(desk, incident).map((words) => <span class="sub">{words}</span>)],
            downFor(desk, incident),
          ])}
        />
      )}
    </section>
  );
};

function why({ view }: Desk, { reason, exit, expectedAt, openedAt, startedAt }: PastIncident): Child {
  const { incidents: say } = view.texts.checks;
  const at = (time: number) => <BriefTime view={view} at={time} />;
  if (reason === "missed") return fill(say.missed, at(expectedAt ?? openedAt));
  if (reason === "overrun") return fill(say.overrun, at(startedAt ?? openedAt));
  return exit === undefined ? say.failed : say.exit(exit);
}

function asides({ view }: Desk, { missed, gap, ackedAt, ackedBy }: PastIncident): Child[] {
  const { incidents: say } = view.texts.checks;
  const at = (time: number) => <BriefTime view={view} at={time} />;
  return [
    missed > 1 && say.slots(missed),
    gap !== undefined && fill(say.gap, at(gap.from), at(gap.to)),
    ackedAt !== undefined && say.acked(ackedBy),
  ].filter((part) => part !== false);
}

/** Nobody knows how long if the server was away. */
function downFor({ view, now }: Desk, { openedAt, closedAt, gap }: PastIncident): Child {
  const { incidents: say, lasting } = view.texts.checks;
  if (closedAt === undefined)
    return (
      <span class="st down">
        <Icon view={view} name="down" />
        {say.still(lasting(Math.max(0, now - openedAt)))}
      </span>
    );
  return gap === undefined ? lasting(closedAt - openedAt) : "–";
}

export const Log = ({ desk, whole: { check, log } }: Shown): Safe => {
  const { view } = desk;
  const { log: say } = view.texts.checks;
  return (
    <section class="panel" aria-labelledby="log" id="check-log" data-live={log.before === undefined && "check"}>
      <header>
        <h2 id="log">{say.title}</h2>
        {log.before !== undefined && <a href={deskLink(desk, `${pathOf(check)}#log`)}>{say.newest}</a>}
      </header>
      {log.rows.length === 0 ? (
        <p class="in soft">{say.none}</p>
      ) : (
        <ul class="rows">
          {log.rows.map((row) => (
            <Line desk={desk} row={row} bodies={log.bodies} />
          ))}
        </ul>
      )}
      {log.older !== undefined && (
        <p class="in">
          <a href={deskLink(desk, `${pathOf(check)}?before=${log.older}#log`)}>{view.texts.shared.older}</a>
        </p>
      )}
    </section>
  );
};

const Line = ({ desk, row, bodies }: { desk: Desk; row: LogRow; bodies: Whole["log"]["bodies"] }): Safe => {
  const { view } = desk;
  const { log: say, runs, glance, lasting } = view.texts.checks;
  const { event, start } = row;
  const { kind, at, exit, durationMs, reason, by, method, address, rid, userAgent } = event;
  const took = durationMs === undefined ? undefined : lasting(durationMs);
  const what = [say.kind[kind], reason !== undefined && kind === "down" && say.reason[reason]];
  const how = [exit !== undefined && kind === "fail" && runs.exit(exit), took, by !== undefined && say.by(by)];
  const from = [method, address, userAgent, rid].filter((part) => part !== undefined);
  return (
    <li class="row dense">
      <div>
        <p dir="auto">
          {[...what, ...how].filter((part) => part !== false && part !== undefined).join(", ")}
          {start !== undefined && (
            <span class="sub">, {fill(glance.ran, <BriefTime view={view} at={start.at} />)}</span>
          )}
          {from.length > 0 && <span class="sub"> {from.join(" ")}</span>}
        </p>
        {[start, event].map((one) => one !== undefined && <Output view={view} n={one.n} body={bodies.get(one.n)} />)}
      </div>
      <span class="dim num">
        <Ago view={view} at={at} />
      </span>
    </li>
  );
};

const Output = ({ view, n, body }: { view: View; n: number; body: PingBody | undefined }): Safe => {
  const { log: say } = view.texts.checks;
  return (
    <>
      {body !== undefined && (
        <details class="past" id={`output-${n}`}>
          <summary>{say.output}</summary>
          <div class="code wrap">
            <pre tabindex="0" role="group" aria-label={say.output} dir="auto">
              <code>{outputOf(body, say.cut)}</code>
            </pre>
          </div>
        </details>
      )}
    </>
  );
};

/** As text, whatever the bytes are; a line says if some were left out. */
function outputOf({ head, tail, totalBytes }: PingBody, cut: (bytes: string) => string): string {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const left = totalBytes - head.length - tail.length;
  return left > 0 ? `${text(head)}\n${cut(String(left))}\n${text(tail)}` : text(Buffer.concat([head, tail]));
}
