/** @jsxImportSource #jsx */
/** What the senders of a topic say that cannot be used: a quiet note above its messages. */
import type { FieldError } from "../../../../http/problem.ts";
import type { LeftOut } from "../../../../store/intake.ts";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { deskLink } from "../../frame/filter.ts";
import { camePath, Field } from "./original.tsx";
import type { TopicProps } from "../topic.tsx";

/** The most fields that are named. */
const MOST = 10;

export const LeftOutNote = ({ desk, glance: { topic }, leftOut }: TopicProps & { leftOut: LeftOut }): Safe => {
  const { leftOut: texts } = desk.view.texts.topics;
  const { looked, lacking } = leftOut;
  const fields = fieldsOf(lacking);
  return (
    <>
      {lacking.length > 0 && (
        <details class="past">
          <summary>{texts.note(lacking.length, looked)}</summary>
          <ul class="came">
            {fields.slice(0, MOST).map(({ id, ...field }) => (
              <li>
                <Field {...field} /> <a href={deskLink(desk, camePath(topic, id))}>{texts.message(id)}</a>
              </li>
            ))}
            {fields.length > MOST && <li>{texts.more}</li>}
          </ul>
        </details>
      )}
    </>
  );
};

/** Each field once, with the newest message that lacks it. */
function fieldsOf(lacking: LeftOut["lacking"]): (FieldError & { id: number })[] {
  const fields = new Map<string, FieldError & { id: number }>();
  for (const { id, ignored } of lacking)
    for (const { path, message } of ignored) {
      const name = `${path}\n${message}`;
      if (!fields.has(name)) fields.set(name, { path, message, id });
    }
  return [...fields.values()];
}
