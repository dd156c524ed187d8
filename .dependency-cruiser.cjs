/** Arrows point one way, down: main → cli → server → rooms → store, bus, http → config, util. */
const error = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/**
 * The rooms from the ground up: each may import those below it, types included, and none above it. A folder of a room that
 * stands lower than the rest of it has a floor of its own.
 */
const FLOORS = [
  ...["util", "telemetry", "names", "config", "http", "store", "keys", "bus", "tokens", "topics", "files", "drafts"],
  ...[
    "rewrites",
    "messages",
    "accounts",
    "checks",
    "hooks",
    "delivery/transport",
    "devices",
    "delivery",
    "forwards",
    "ntfy",
  ],
  ...["moves", "ops", "tls", "pages", "setup", "gotify"],
  ...["server", "cli", "build"],
];
/** The port of the store speaks of the rooms' records, so it sees their types (`store-sees-types`). */
const SEES_TYPES = new Set(["store", "bus"]);

const noArrowUp = FLOORS.slice(0, -1).map((room, floor) =>
  error(
    `${room.replace("/", "-")}-below`,
    `${room} stands below ${FLOORS[floor + 1]}: nothing in it imports what stands above.`,
    { path: `^src/${room}/` },
    {
      path: `^src/(${FLOORS.slice(floor + 1).join("|")})/`,
      pathNot: `^src/(${FLOORS.slice(0, floor + 1).join("|")})/`, // a lower folder of a room above
      ...(SEES_TYPES.has(room) && { dependencyTypesNot: ["type-only"] }),
    },
  ),
);

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...noArrowUp,
    error("no-cycle", "Modules form no circle, types included.", {}, { circular: true }),
    error("resolved", "What is imported exists.", {}, { couldNotResolve: true }),
    error("no-test-in-source", "The product knows no tests.", { path: "^src/" }, { path: "^test/" }),
    error(
      "routes-by-server",
      "Only the server assembles routes; rooms use each other's plain functions.",
      { path: "^src/", pathNot: "^src/server/" },
      { path: "(^|/)routes\\.tsx?$" },
    ),
    error(
      "store-sees-types",
      "The store knows the records of the rooms, none of their rules.",
      { path: "^src/store/" },
      { path: "^src/(?!store/|util/|names/)", dependencyTypesNot: ["type-only"] },
    ),
    error(
      "jobs-know-no-file",
      "What the store does is a job in a transaction, whatever engine runs it.",
      { path: "^src/store/sql/" },
      { path: "^src/store/sqlite/" },
    ),
    error(
      "engine-behind-port",
      "Rooms speak to the port, never to an engine.",
      { path: "^src/", pathNot: "^src/(store|server|cli|build)/" },
      { path: "^src/store/sql(ite)?/" },
    ),
    error(
      "rewrites-pure",
      "A rewrite turns a payload into a draft: it knows nobody who could answer, store or wait.",
      { path: "^src/rewrites/" },
      { pathNot: "^src/(rewrites/|util/|drafts/)" },
    ),
    error(
      "cookie-opens-pages",
      "Only pages below /-/ ask who is signed in: a cookie never opens the API.",
      { path: "^src/", pathNot: "^src/(accounts/|pages/dashboard/|setup/|server/errors\\.ts$)" },
      { path: "^src/accounts/(visitor|cookie|signin)\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "default"],
    },
  },
};
