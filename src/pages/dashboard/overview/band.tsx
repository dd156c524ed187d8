/** @jsxImportSource #jsx */
/** What is wrong, in the order in which somebody should look at it; below it, what somebody is on. */
import { messageUrl } from "../../../http/urls.ts";
import type { Topic } from "../../../topics/topic.ts";
import { firstWords } from "../../feed/card.tsx";
import { Handled, HandledRow, OpenNow, OpenRow, TakenBy } from "../../feed/open.tsx";
import type { OpenCard } from "../../feed/opened.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import { reason } from "../checks/state-words.tsx";
import { deliveriesOf } from "../deliveries/links.ts";
import { reasonOf } from "../deliveries/reasons.tsx";
import type { Desk } from "../signed-in.ts";
import { nameOf } from "../devices/device-words.tsx";
import { deskLink } from "../frame/filter.ts";
import { MutedMark } from "../muted.tsx";
import { mutedUntil, topicPath } from "../topics/glance.ts";
import { backHere, isAtMessages } from "../messages/back.ts";
import type { Down, Open } from "./gather.ts";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";

interface Props {
  desk: Desk;
  open: Open;
}

export const OpenBand = ({ desk, open }: Props): Safe => {
  const { view } = desk;
  const { overview: words } = view.texts;
  const { trouble, down, failures, opened } = open;
  const moreDown = trouble.down - down.length;
  const moreFailed = trouble.failed - failures.length;
  const rows = [
    ...opened.open.map((card) => (
      <OpenRow
        view={view}
        card={card}
        link={linkOf(desk, card)}
        place={<Place desk={desk} topic={card.topic} />}
        acknowledgeAt={deskLink(desk, `/-/messages/${card.topic.key}/${card.message.id}/acknowledge${backHere(view)}`)}
      />
    )),
    ...(opened.moreAsking || opened.moreFiring ? [<li class="row sub">{view.texts.open.more}</li>] : []),
    ...down.map((one) => <DownRow desk={desk} down={one} />),
    ...(moreDown > 0 ? [<More text={words.moreDown(moreDown)} to={deskLink(desk, "/-/checks")} />] : []),
    ...failures.map(({ topic, message, draft, delivery }) => (
      <li class="row told failed">
        <div>
          <a class="name" href={deskLink(desk, deliveriesOf(topic, message))} dir="auto">
            {delivery.device === undefined ? view.texts.deliveries.removedDevice : nameOf(view.texts, delivery.device)}
          </a>
        </div>
        <p class="sub" dir="auto">
          {words.notAccepted(firstWords({ draft }))}: {reasonOf(view.texts, delivery)}
        </p>
        <StateWord desk={desk} state="failed" />
      </li>
    )),
    ...(moreFailed > 0
      ? [<More text={words.moreFailed(moreFailed, trouble.isMore)} to={deskLink(desk, "/-/deliveries?state=failed")} />]
      : []),
  ];
  return (
    <div id="needs" data-live="check delivery message topic">
      <OpenNow view={view} rows={rows} />
    </div>
  );
};

/** Nobody has to look at it, and it counts nowhere. */
export const HandledBand = ({ desk, open: { opened, takenDown } }: Props): Safe => {
  const { view } = desk;
  const rows = [
    ...opened.taken.map((card) => (
      <HandledRow
        view={view}
        card={card}
        link={linkOf(desk, card)}
        place={<Place desk={desk} topic={card.topic} />}
        isNamed
      />
    )),
    ...takenDown.map(({ check: { id, namespace, standing } }) => {
      const { ackedAt: at = desk.now, ackedBy: by } = standing.incident ?? {};
      const { mutedUntil: until } = standing;
      const taken = { at, ...(by !== undefined && { by }), ...(until !== undefined && { until }) };
      return (
        <li class="row">
          <div>
            <CheckName desk={desk} id={id} name={standing.settings.name} namespace={namespace} />
            <p class="sub">
              <TakenBy view={view} taken={taken} isNamed />
            </p>
          </div>
          <StateWord desk={desk} state="down" isQuiet />
        </li>
      );
    }),
  ];
  return (
    <div id="handled" data-live="check message topic">
      <Handled view={view} rows={rows} />
    </div>
  );
};

const DownRow = ({ desk, down: { check, runs, said, mutedUntil: until } }: { desk: Desk; down: Down }): Safe => (
  <li class="row act down">
    <div>
      <StateWord desk={desk} state="down" />{" "}
      <CheckName desk={desk} id={check.id} name={check.standing.settings.name} namespace={check.namespace} />{" "}
      <MutedMark view={desk.view} until={until} />
      <p class="sub" dir="auto">
        {reason({ view: desk.view, check, runs, said })}
      </p>
    </div>
    <form method="post" action={deskLink(desk, `/-/checks/${check.id}/ack`)}>
      <input type="hidden" name="from" value={isAtMessages(desk.view) ? "messages" : "overview"} />
      <Submit view={desk.view} icon="check" words={desk.view.texts.checks.act.ack} />
    </form>
  </li>
);

interface CheckNameProps {
  desk: Desk;
  id: string;
  name: string;
  namespace: string;
}
const CheckName = ({ desk, id, name, namespace }: CheckNameProps): Safe => (
  <>
    <Link desk={desk} to={`/-/checks/${id}`} class="name" dir="auto" words={name} />{" "}
    <span class="dim">{namespace}</span>
  </>
);

const StateWord = ({
  desk,
  state,
  isQuiet = false,
}: {
  desk: Desk;
  state: "down" | "failed";
  isQuiet?: boolean;
}): Safe => (
  <span class={isQuiet ? "st" : `st ${state}`}>
    <Icon view={desk.view} name="down" />
    {desk.view.texts.overview.state[state]}
  </span>
);

const More = ({ text, to }: { text: string; to: string }): Safe => (
  <li class="row">
    <a class="name" href={to}>
      {text}
    </a>
  </li>
);

const Place = ({ desk, topic }: { desk: Desk; topic: Topic }): Safe => {
  const until = mutedUntil(topic, desk.now);
  return (
    <>
      {topic.namespace} / {topic.name}
      {until !== undefined && [" ", <MutedMark view={desk.view} until={until} />]}
    </>
  );
};

/** A link that finds it even if others are before it in its topic by now. */
const linkOf = (desk: Desk, { topic, message }: Pick<OpenCard, "topic" | "message">): string =>
  deskLink(desk, messageUrl(topicPath(topic), message.id));
