/** Which paths exist, and with which methods: for 405, OPTIONS, and the log's route templates. */

export interface Route {
  method: string;
  /** Elysia's form: `/v1/:ns/topics`. */
  path: string;
}

export interface Match {
  /** The template, as it may be logged. */
  template: string;
  methods: readonly string[];
}

interface Node {
  literals: Map<string, Node>;
  parameter?: Node;
  template?: string;
  methods: string[];
}

export interface RouteTable {
  /** The most specific template that a path (without query) fits: a literal segment goes before a parameter. */
  match(path: string): Match | undefined;
  /** All templates with their methods. */
  readonly templates: readonly Match[];
}

export function createTable(routes: readonly Route[]): RouteTable {
  const root = node();
  const templates: Match[] = [];
  for (const { method, path } of routes) {
    let at = root;
    for (const segment of path.split("/").slice(1)) at = child(at, segment);
    if (at.template === undefined) {
      at.template = path;
      templates.push({ template: path, methods: at.methods });
    }
    if (!at.methods.includes(method)) at.methods.push(method);
  }
  return { match: (path) => find(root, path.split("/").slice(1), 0), templates };
}

const node = (): Node => ({ literals: new Map(), methods: [] });

function child(parent: Node, segment: string): Node {
  if (segment.startsWith(":")) return (parent.parameter ??= node());
  const known = parent.literals.get(segment);
  if (known !== undefined) return known;
  const made = node();
  parent.literals.set(segment, made);
  return made;
}

function find(
  { literals, parameter, template, methods }: Node,
  segments: readonly string[],
  depth: number,
): Match | undefined {
  const segment = segments[depth];
  if (segment === undefined) return template === undefined ? undefined : { template, methods };
  const literal = literals.get(segment);
  const found = literal === undefined ? undefined : find(literal, segments, depth + 1);
  if (found !== undefined || parameter === undefined || segment === "") return found;
  return find(parameter, segments, depth + 1);
}

/**
 * Methods that a less specific template would answer in the place of a more specific one that has no such method:
 * `DELETE /v1/home/topics` must not delete the topic `topics`. They are to be refused with 405 by routes of their own.
 */
export function shadowed({ templates }: RouteTable): { method: string; path: string; allow: readonly string[] }[] {
  return templates.flatMap(({ template, methods }) => {
    const caught = templates
      .filter((other) => other.template !== template && covers(other.template, template))
      .flatMap((other) => other.methods);
    const missing = new Set(caught.filter((method) => !methods.includes(method)));
    return [...missing].map((method) => ({ method, path: template, allow: methods }));
  });
}

/** Every path of `specific` fits `general`, too. */
function covers(general: string, specific: string): boolean {
  const [wide, narrow] = [general.split("/"), specific.split("/")];
  return wide.length === narrow.length && wide.every((segment, i) => segment.startsWith(":") || segment === narrow[i]);
}

/** What `Allow` says: HEAD goes wherever GET does, OPTIONS everywhere. */
export const allowed = (methods: readonly string[]): string[] => [
  ...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))),
  "OPTIONS",
];
