/** Links to deliveries, for all pages of the dashboard. */
import type { Message } from "../../../messages/message.ts";
import type { Topic } from "../../../topics/topic.ts";

/** The page of all deliveries, below the base path. */
export const PATH = "/-/deliveries";

/** Deliveries of a message on each device; without a message, those of the whole topic. */
export const deliveriesOf = ({ key }: Pick<Topic, "key">, message?: Pick<Message, "id">): string =>
  `${PATH}?topic=${key}${message === undefined ? "" : `&message=${message.id}`}`;
