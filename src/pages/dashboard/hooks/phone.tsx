/** @jsxImportSource #jsx */
/** A notification as a phone shows it: what the delivery of the message would say (src/delivery/compose.ts). */
import type { Notification } from "../../../delivery/push.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import type { View } from "../../view.ts";

/** More than that no phone shows. */
const MAX_CHARACTERS = 400;

export const Phone = ({ view, notification }: { view: View; notification: Notification }): Safe => {
  const { map: say } = view.texts.hooks;
  const { title, body, actions = [] } = notification;
  return (
    <figure class="phone-note">
      <figcaption class="sr">{say.phone}</figcaption>
      <p class="dim">
        <Icon view={view} name="bell" />
        peal · {say.now}
      </p>
      <p class="t" dir="auto">
        {title}
      </p>
      <p class="b" dir="auto">
        {body.length > MAX_CHARACTERS ? `${body.slice(0, MAX_CHARACTERS).toWellFormed()}…` : body}
      </p>
      {actions.length > 0 && (
        <p class="a">
          {actions.map(({ label }) => (
            <bdi>{label}</bdi>
          ))}
        </p>
      )}
    </figure>
  );
};
