/** @jsxImportSource #jsx */
/** A request that was kept: what came. */
import type { KeptRequest } from "../../../hooks/hook.ts";
import type { Content } from "../../../messages/reading/content.ts";
import { sourceWord } from "../../feed/card.tsx";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Ago } from "../../elements/times.tsx";
import type { View } from "../../view.ts";
import { Text, Tree } from "./tree.tsx";
import { Terms } from "../../elements/terms.tsx";

/** What was sent, and how. `content`: the body's; absent: none is kept. */
export const Came = ({
  view,
  request,
  content,
}: {
  view: View;
  request: KeptRequest;
  content: Content | undefined;
}): Safe => {
  const { hooks: say } = view.texts;
  const facts: [string, Child][] = [
    [say.request, <Ago view={view} at={request.at} />],
    [say.sent.source, sourceWord(view, request.source)],
    [say.sent.address, request.from],
    ...optional(say.sent.agent, request.userAgent),
    ...optional(say.sent.type, request.contentType),
    ...optional(say.sent.query, request.query),
    ...optional(say.sent.files, request.files?.join(", ")),
  ];
  return (
    <div class="tight">
      <Terms facts={facts} dir="auto" />
      <Body view={view} content={content} />
      {request.isCut && <p class="hint">{say.body.large}</p>}
    </div>
  );
};

const optional = (label: string, value: string | undefined): [string, Child][] =>
  value === undefined || value === "" ? [] : [[label, value]];

export const Body = ({ view, content }: { view: View; content: Content | undefined }): Safe => {
  const { body: say } = view.texts.hooks;
  if (content === undefined) return <p class="soft">{say.none}</p>;
  if (content.kind === "text") return <Text view={view} text={content.text} />;
  const value = content.kind === "json" ? content.value : content.fields;
  return typeof value === "object" && value !== null ? (
    <Tree view={view} value={value} />
  ) : (
    <Text view={view} text={String(value)} />
  );
};
