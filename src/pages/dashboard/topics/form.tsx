/** @jsxImportSource #jsx */
/** Fields of forms about topics: a label, what is wrong with what was typed, a hint. */
import { Problem } from "../../../http/problem.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import type { Texts } from "../../texts/texts.ts";
import type { View } from "../../view.ts";

/** What is wrong, by field, in words. */
export type Faults = ReadonlyMap<string, string>;

interface LabelledProps {
  view: View;
  /** Also its id. */
  name: string;
  label: string;
  faults: Faults | undefined;
  hint?: Child;
  /** The control, given what ties it to the words below it. */
  children: (described: Record<string, string | undefined>) => Safe;
}

export const Labelled = ({ view, name, label, faults, hint, children }: LabelledProps): Safe => {
  const wrong = faults?.get(name);
  const ids = [wrong !== undefined && `${name}-e`, hint !== undefined && `${name}-h`].filter((id) => id !== false);
  const described = {
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
    "aria-invalid": wrong === undefined ? undefined : "true",
  };
  return (
    <div class={wrong === undefined ? "field" : "field bad"}>
      <label for={name}>{label}</label>
      {children(described)}
      {wrong !== undefined && (
        <p class="wrong" id={`${name}-e`}>
          <Icon view={view} name="error" />
          {wrong}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${name}-h`}>
          {hint}
        </p>
      )}
    </div>
  );
};

/** What the API would refuse, in the words of the page and at its field. @throws whatever else it is */
export function faultsOf({ topics: { settings } }: Texts, error: unknown, given: URLSearchParams): Faults {
  const { wrong } = settings;
  if (!(error instanceof Problem)) throw error;
  if (error.code === "topic_exists") return new Map([["name", wrong.taken(given.get("name") ?? "")]]);
  if (error.code === "too_many_topics") return new Map([["name", wrong.full]]);
  if (error.errors === undefined) throw error;
  const words = new Map<string, string>(
    Object.entries({
      name: wrong.name,
      description: wrong.description,
      retention_days: wrong.retention,
      retention_messages: wrong.most,
      message: wrong.message,
      title: wrong.title,
    }),
  );
  return new Map(
    error.errors.map(({ path, message }) => {
      const field = path.slice(1);
      const isKey = field === "name" && message.includes("look like");
      return [field, isKey ? wrong.looksLikeKey : (words.get(field) ?? message)];
    }),
  );
}
