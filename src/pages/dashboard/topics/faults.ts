/** What is wrong in a form about topics, in the words of the page. */
import { Problem } from "../../../http/problem.ts";
import { looksLikeKey } from "../../../names/topic.ts";
import type { Faults } from "../../elements/field.tsx";
import type { Texts } from "../../texts/texts.ts";

/** What the API would refuse, in the words of the page and at its field. @throws any other error */
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
      const isKey = field === "name" && looksLikeKey(given.get("name")?.trim() ?? "");
      return [field, isKey ? wrong.looksLikeKey : (words.get(field) ?? message)];
    }),
  );
}
