/** @jsxImportSource #jsx */
/** A notification as a phone shows it: what the delivery of the message would say (src/delivery/push/compose.ts). */
import type { Notification } from "../../../delivery/push/push.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import type { View } from "../../view.ts";

/** More than that no phone shows. */
const MAX_CHARACTERS = 400;

export const Phone = ({ view, notification }: { view: View; notification: Notification }): Safe => {
  const { map: say } = view.texts.hooks;
  const { title, body, actions = [] } = notification;
  return (
    <figure class="phone-note">
      <figcaption class="sr">{say.phone}</figcaption>
      <p class="dim thin">peal · {say.now}</p>
      <strong dir="auto">{title}</strong>
      <p class="body cut" dir="auto">
        {body.length > MAX_CHARACTERS ? `${body.slice(0, MAX_CHARACTERS).toWellFormed()}…` : body}
      </p>
      {actions.length > 0 && (
        <p class="line">
          {actions.map(({ label }) => (
            <strong dir="auto">{label}</strong>
          ))}
        </p>
      )}
    </figure>
  );
};
