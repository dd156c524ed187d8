/** @jsxImportSource #jsx */
/** The OpenAPI document as a page to read (API.md §2): the same object that `/openapi.json` answers, nothing from elsewhere. */
import { Fragment, type Child, type Safe } from "./jsx/jsx-runtime.ts";
import { Document } from "./layout.tsx";
import type { Language } from "./texts/languages.ts";
import type { Texts } from "./texts/texts.ts";
import type { View } from "./view.ts";

/** The part of OpenAPI 3.1 that our document uses. */
export interface ApiDocument {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, object>>;
}
interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  security?: object[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content?: Content };
  responses?: Record<string, { description?: string; content?: Content }>;
}
type Content = Record<string, { schema?: Schema }>;
interface Schema {
  type?: string;
  description?: string;
  enum?: unknown[];
  const?: string | number | boolean;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxBytes?: number;
  maxItems?: number;
}
interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

type Words = Texts["docs"];

/** The page of a document, for each reader: the part that the document decides is made once in each language. */
export function docsPage({ info, paths }: ApiDocument): (view: View) => Safe {
  const entries: Entry[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const byTag = Map.groupBy(entries, ({ operation }) => operation.tags?.[0] ?? "");
  const made = new Map<Language, Safe>();
  return (view) => {
    const words = view.texts.docs;
    const contents = made.get(view.language) ?? <Contents words={words} byTag={byTag} />;
    made.set(view.language, contents);
    return (
      <Document view={view} title={`${words.title} · peal`} frame="public" script="page.js">
        <div class="tight">
          <p class="crumb">{words.version(info.version)}</p>
          <h1>{words.title}</h1>
          <p class="lede">
            <span lang="en">{info.description}</span> {words.sameAs}{" "}
            <a href={`${view.base}/openapi.json`}>openapi.json</a>
          </p>
          <p class="lede">{words.keys}</p>
        </div>
        {contents}
      </Document>
    );
  };
}

const Contents = ({ words, byTag }: { words: Words; byTag: Map<string, Entry[]> }): Safe => (
  <Fragment>
    <nav class="chips" aria-label={words.contents}>
      {[...byTag.keys()].map((tag) => (
        <a class="chip" href={`#${tag}`}>
          {tag}
        </a>
      ))}
    </nav>
    {[...byTag].map(([tag, group]) => (
      <section class="tight" aria-labelledby={tag}>
        <h2 id={tag}>{tag}</h2>
        <div class="panel">
          {group.map((entry) => (
            <Described words={words} entry={entry} />
          ))}
        </div>
      </section>
    ))}
  </Fragment>
);

const Described = ({ words, entry: { method, path, operation } }: { words: Words; entry: Entry }): Safe => {
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  return (
    <details class="acc">
      <summary>
        <span>
          <code>
            <strong>{method}</strong> {path}
          </code>{" "}
          <span class="soft" lang="en">
            {told(operation.summary)}
          </span>
        </span>
      </summary>
      <div class="tight">
        {operation.description !== undefined && <p lang="en">{told(operation.description)}</p>}
        <p class="hint">{(operation.security?.length ?? 0) > 0 ? words.needsKey : words.needsNone}</p>
        {operation.parameters !== undefined && (
          <Fields
            words={words}
            title={words.parameters}
            rows={operation.parameters.map(({ name, schema = {}, required, description, ...where }) => ({
              name: `${name} (${where.in})`,
              schema,
              isRequired: required === true,
              description: description ?? schema.description,
            }))}
          />
        )}
        {bodies.map(([type, { schema = {} }]) => (
          <Fields words={words} title={`${words.body}, ${type}`} rows={rowsOf(schema)} />
        ))}
        {Object.entries(operation.responses ?? {}).map(([status, { description, content = {} }]) => (
          <Answer words={words} status={status} description={description} content={content} />
        ))}
      </div>
    </details>
  );
};

const Answer = ({
  words,
  status,
  description,
  content,
}: {
  words: Words;
  status: string;
  description: string | undefined;
  content: Content;
}): Safe => (
  <Fragment>
    <p>
      <strong>{status}</strong> {description === undefined ? words.problem : <span lang="en">{told(description)}</span>}
    </p>
    {Object.entries(content).map(([type, { schema = {} }]) => {
      const rows = rowsOf(schema);
      return rows.length > 0 && <Fields words={words} title={type} rows={rows} />;
    })}
  </Fragment>
);

interface Row {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description: string | undefined;
}

const Fields = ({ words, title, rows }: { words: Words; title: string; rows: Row[] }): Safe => (
  <div class="scroll" tabindex="0" role="group" aria-label={title}>
    <table>
      <caption>{title}</caption>
      <tbody>
        {rows.map(({ name, schema, isRequired, description }) => (
          <tr>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              {typeOf(schema, words)}
              {isRequired && `, ${words.required}`}
            </td>
            <td lang="en">{told(description)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A text of the document: code between backticks, as in CommonMark (OpenAPI 3.1, "description"). */
const told = (text = ""): Child[] => text.split("`").map((part, n) => (n % 2 === 1 ? <code>{part}</code> : part));

/** The fields of an object, those of nested ones by their paths; of alternatives, those of each. */
function rowsOf(schema: Schema, prefix = ""): Row[] {
  if (schema.anyOf !== undefined) return distinct(schema.anyOf.flatMap((one) => rowsOf(one, prefix)));
  if (schema.items !== undefined) return rowsOf(schema.items, `${prefix.replace(/\.$/, "")}[].`);
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { name: prefix + name, schema: field, isRequired: required.has(name), description: field.description },
    ...rowsOf(field, `${prefix}${name}.`),
  ]);
}

const distinct = (rows: Row[]): Row[] => [...new Map(rows.map((row) => [row.name, row])).values()];

function typeOf(schema: Schema, words: Words): string {
  if (schema.enum !== undefined) return schema.enum.join(" · ");
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((one) => typeOf(one, words)))].join(` ${words.or} `);
  if (schema.items !== undefined) return words.listOf(typeOf(schema.items, words), schema.maxItems);
  const { minimum, maximum, minLength, maxLength, maxBytes, pattern } = schema;
  const limits = [
    range(minimum, maximum, ""),
    range(minLength, maxLength, words.characters),
    range(undefined, maxBytes, words.bytes),
    pattern,
  ];
  return [schema.format ?? schema.type ?? words.anything, ...limits.filter((limit) => limit !== undefined)].join(", ");
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const bounds = max === undefined ? `≥ ${min}` : min === undefined ? `≤ ${max}` : `${min}–${max}`;
  return unit === "" ? bounds : `${bounds} ${unit}`;
}
