/** Ways to the deliveries of something, for all pages of the dashboard. */
import type { Message } from "../../../messages/message.ts";
import type { Topic } from "../../../topics/topic.ts";

/** Of all deliveries, below the base path. */
export const PATH = "/-/deliveries";

/** What became of a message on each device; without one, of all of the topic. */
export const deliveriesOf = ({ key }: Pick<Topic, "key">, message?: Pick<Message, "id">): string =>
  `${PATH}?topic=${key}${message === undefined ? "" : `&message=${message.id}`}`;
