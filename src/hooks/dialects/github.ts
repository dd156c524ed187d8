/** GitHub's webhooks: the answer is shown among the deliveries in the settings of the repository. */
import { insisted } from "../../rewrites/rewrite.ts";
import { formedJson, jsonOf, storedOf, type Dialect } from "./dialect.ts";

export const github: Dialect = {
  hear: (body, about) => {
    const draft = insisted("github", body, about);
    return draft && { draft };
  },
  taken: (taken) => {
    const { id, topic } = storedOf(taken);
    return jsonOf(202, { message: "Accepted", ...(id > 0 && { id }), topic_name: topic });
  },
  refused: ({ title, detail }) => formedJson({ message: title, detail }),
};
