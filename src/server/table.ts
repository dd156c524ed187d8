/** Which paths exist, and with which methods: for 405, OPTIONS, and the log's route templates. */
import { isOfTopics, type Direct, type Route } from "../http/route.ts";
import { areTopicKeys } from "../names/topic.ts";

export interface Match {
  /** The template, as it may be logged. */
  template: string;
  /** The template, split at its slashes. */
  segments: readonly string[];
  methods: readonly string[];
  /** By method: the handlers that need nothing of Elysia. */
  direct?: Map<string, Direct>;
}

interface Node {
  literals: Map<string, Node>;
  /** What topic keys fit: they are no namespace's name, so its routes and those of `parameter` never want the same path. */
  topics?: Node;
  parameter?: Node;
  match?: Match & { methods: string[] };
}

export interface RouteTable {
  /** The most specific template that a path (without query) fits: a literal segment beats topic keys, and they any parameter. */
  match(path: string): Match | undefined;
  /** The same for a path that is split at its slashes. */
  matchSegments(segments: readonly string[]): Match | undefined;
  /** All templates with their methods. */
  readonly templates: readonly Match[];
  /**
   * Methods that a less specific template would answer instead of a more specific one that does not have them: `DELETE
   * /v1/home/topics` must not delete the topic `topics`. Separate routes refuse them with 405.
   */
  shadowed(): { method: string; path: string; allow: readonly string[] }[];
}

export function createTable(routes: readonly Pick<Route, "method" | "path" | "direct">[]): RouteTable {
  const root = node();
  const templates: (Match & { methods: string[] })[] = [];
  for (const { method, path, direct } of routes) {
    const segments = path.split("/");
    const at = isOfTopics(path)
      ? segments.slice(2).reduce(child, (root.topics ??= node()))
      : segments.slice(1).reduce(child, root);
    if (at.match === undefined) templates.push((at.match = { template: path, segments, methods: [] }));
    if (!at.match.methods.includes(method)) at.match.methods.push(method);
    if (direct !== undefined) (at.match.direct ??= new Map<string, Direct>()).set(method, direct);
  }
  // what they do not take themselves is left to the others: `GET /{topic-key}` is a page
  for (const { template, segments, methods } of templates)
    if (isOfTopics(template)) methods.push(...new Set(methodsOf(root, segments.slice(1))).difference(new Set(methods)));
  return {
    match: (path) => find(root, path.split("/"), 1),
    matchSegments: (segments) => find(root, segments, 1),
    templates,
    shadowed: () =>
      templates.flatMap(({ template, segments, methods }) => {
        if (isOfTopics(template)) return []; // not Elysia's
        const taken = new Set(methodsOf(root, segments.slice(1)));
        return [...taken.difference(new Set(methods))].map((method) => ({ method, path: template, allow: methods }));
      }),
  };
}

const node = (): Node => ({ literals: new Map() });

function child(parent: Node, segment: string): Node {
  if (segment.startsWith(":")) return (parent.parameter ??= node());
  const known = parent.literals.get(segment);
  if (known !== undefined) return known;
  const made = node();
  parent.literals.set(segment, made);
  return made;
}

function find({ literals, topics, parameter, match }: Node, segments: readonly string[], depth: number): Match | undefined {
  const segment = segments[depth];
  if (segment === undefined) return match;
  const literal = literals.get(segment);
  let found = literal === undefined ? undefined : find(literal, segments, depth + 1);
  if (topics !== undefined && areTopicKeys(segment)) found ??= find(topics, segments, depth + 1);
  if (found !== undefined || parameter === undefined || segment === "") return found;
  return find(parameter, segments, depth + 1);
}

/** The methods of all templates that every path of this one fits, its own too. */
function methodsOf({ literals, parameter, match }: Node, segments: readonly string[]): readonly string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return match?.methods ?? [];
  const literal = literals.get(segment);
  return [literal, parameter].flatMap((next) => (next === undefined ? [] : methodsOf(next, rest)));
}

/** The value of `Allow`: HEAD works wherever GET does, OPTIONS everywhere. */
export const allowed = (methods: readonly string[]): string[] => [
  ...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))),
  "OPTIONS",
];
