/** @jsxImportSource #jsx */
/** Deliveries in a table: below each message the devices that it was for. */
import type { Deps } from "../../../deps.ts";
import { draftOf } from "../../../messages/message.ts";
import { deviceRef } from "../../../util/ids.ts";
import { feedUrl, messageUrl } from "../../../http/urls.ts";
import type { Listed } from "../../../store/deliveries.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { OneWord } from "../../feed/card.tsx";
import { pathOf } from "../devices/seen-device.ts";
import { nameOf } from "../devices/device-words.tsx";
import { deskLink } from "../frame/filter.ts";
import type { Desk } from "../signed-in.ts";
import type { Wanted } from "./wanted.ts";
import { PATH } from "./links.ts";
import { headingOf, saidOf, StateWord, When } from "./outcome-words.tsx";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";

export interface TableProps {
  desk: Desk;
  wanted: Wanted;
  listed: readonly Listed[];
  lanes: Pick<Deps["delivery"], "lane" | "restsUntil">;
}

export const DeliveryTable = (props: TableProps): Safe => {
  const { columns } = props.desk.view.texts.deliveries;
  const groups = Map.groupBy(props.listed, ({ seq }) => seq);
  return (
    <table class="tbl" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">
            {columns.device}
          </th>
          <th scope="col" role="columnheader">
            {columns.state}
          </th>
          <th scope="col" role="columnheader">
            {columns.said}
          </th>
          <th scope="col" role="columnheader">
            <span class="sr">{columns.action}</span>
          </th>
        </tr>
      </thead>
      {[...groups.values()].map((group) => (
        <Group {...props} group={group} />
      ))}
    </table>
  );
};

/** Its message and topic exist, so it can be sent again. */
type Known = Required<Pick<Listed, "message" | "topic">>;
const knownOf = ({ message, topic }: Partial<Known>): Known | undefined =>
  message === undefined || topic === undefined ? undefined : { message, topic };
/** Whether it is worth another try. */
const mayRetry = ({ delivery: { state, device }, isLost }: Listed): boolean =>
  !isLost && device !== undefined && (state === "failed" || state === "expired");

const Group = (props: TableProps & { group: readonly Listed[] }): Safe => {
  const { desk, group } = props;
  const { view } = desk;
  const { deliveries: words } = view.texts;
  const { message, topic } = group[0] ?? {};
  const of = knownOf(group[0] ?? {});
  const heading = headingOf(view.texts, message);
  return (
    <tbody role="rowgroup">
      <tr class="of" role="row">
        <th scope="rowgroup" colspan="4" role="rowheader" aria-colspan="4">
          <span class="line">
            {message !== undefined && <OneWord view={view} draft={draftOf(message)} />}
            {message === undefined || topic === undefined ? (
              <span dir="auto">{heading}</span>
            ) : (
              <a href={messageUrl(feedUrl(view.base, topic), message.id)} dir="auto">
                {heading}
              </a>
            )}
            {message !== undefined && topic !== undefined && (
              <span class="dim thin">
                {topic.namespace} / {topic.name}, <When view={view} at={message.createdAt} />
              </span>
            )}
            {of !== undefined && group.filter(mayRetry).length > 1 && (
              <RetryForm {...props} of={of} name={words.retryAllOf(heading)} />
            )}
          </span>
        </th>
      </tr>
      {group.map((one) => (
        <Row {...props} one={one} heading={heading} />
      ))}
    </tbody>
  );
};

const Row = (props: TableProps & { one: Listed; heading: string }): Safe => {
  const { desk, wanted, lanes, one, heading } = props;
  const { view } = desk;
  const { deliveries: words } = view.texts;
  const { delivery, message, isLost } = one;
  const { device } = delivery;
  const of = knownOf(one);
  const endedAt = delivery.acceptedAt ?? delivery.settledAt;
  const name = device === undefined ? words.removedDevice : nameOf(view.texts, device);
  const { said, more } = saidOf({ view, delivery, message, lanes, isLost });
  return (
    <tr role="row">
      <td role="cell">
        {device === undefined ? (
          <span class="dim">{name}</span>
        ) : (
          <Link desk={desk} to={pathOf({ device })} class="plain" dir="auto" words={name} />
        )}
      </td>
      <td role="cell">
        <StateWord view={view} delivery={delivery} />
      </td>
      <td role="cell" class="say" dir="auto">
        {/* the deliveries of one message show when each device got it; among many, the heads have the time */}
        {wanted.message !== undefined && endedAt !== undefined && (
          <>
            <When view={view} at={endedAt} />.{" "}
          </>
        )}
        {said} {more !== undefined && <span class="dim">{more}</span>}
      </td>
      <td role="cell" class="end-t">
        {device !== undefined && of !== undefined && mayRetry(one) && (
          <RetryForm {...props} of={of} device={deviceRef(device.id)} name={words.retryOf(heading, name)} />
        )}
      </td>
    </tr>
  );
};

/** `device`: its ref; absent: all of the message. */
const RetryForm = ({
  desk,
  wanted,
  of,
  device,
  name,
}: Pick<TableProps, "desk" | "wanted"> & { of: Known; device?: string; name: string }): Safe => {
  const { view } = desk;
  const { deliveries: words } = view.texts;
  return (
    <form method="post" action={deskLink(desk, `${PATH}/retry`)}>
      <input type="hidden" name="topic" value={of.topic.key} />
      <input type="hidden" name="message" value={of.message.id} />
      {device !== undefined && <input type="hidden" name="device" value={device} />}
      <input type="hidden" name="back" value={wanted.query.toString()} />
      <Submit view={view} icon="rotate" aria-label={name} words={device === undefined ? words.retryAll : words.retry} />
    </form>
  );
};
