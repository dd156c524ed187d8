/** Arrows point one way: main → cli → server → rooms → store, bus, http → config, util. */
const error = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    error(
      "no-cycle",
      "Modules form no circle, types aside.",
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    ),
    error("resolved", "What is imported exists.", {}, { couldNotResolve: true }),
    error("no-test-in-source", "The product knows no tests.", { path: "^src/" }, { path: "^test/" }),
    error(
      "routes-by-server",
      "Only the server assembles routes; rooms use each other's plain functions.",
      { path: "^src/", pathNot: "^src/server/" },
      { path: "(^|/)routes\\.tsx?$" },
    ),
    error(
      "server-by-cli",
      "Nothing imports the server but the command line.",
      { path: "^src/", pathNot: "^src/(server|cli)/" },
      { path: "^src/server/" },
    ),
    error(
      "cli-by-main",
      "Nothing imports the command line but main.ts.",
      { path: "^src/", pathNot: "^src/(cli/|main\\.ts$)" },
      { path: "^src/cli/" },
    ),
    error(
      "store-sees-types",
      "The store knows the records of the rooms, none of their rules.",
      { path: "^src/store/" },
      { path: "^src/(?!store/|util/|topics/names\\.ts)", dependencyTypesNot: ["type-only"] },
    ),
    error(
      "engine-behind-port",
      "Rooms speak to the port, never to an engine.",
      { path: "^src/", pathNot: "^src/(store|server|cli|build)/" },
      { path: "^src/store/sqlite/" },
    ),
    error(
      "bus-knows-no-store",
      "The bus carries what was committed and asks nobody.",
      { path: "^src/bus/" },
      { path: "^src/(store|http|server|cli|pages)/", dependencyTypesNot: ["type-only"] },
    ),
    error(
      "util-stands-alone",
      "What everybody imports imports nobody.",
      { path: "^src/util/" },
      { path: "^src/(?!util/)" },
    ),
    error(
      "rewrites-pure",
      "A rewrite turns a payload into a draft: it knows nobody who could answer, store or wait.",
      { path: "^src/rewrites/" },
      { pathNot: "^src/(rewrites/|util/(clock|ids|schema)\\.ts|messages/(message|schema|text|time|words)\\.ts)" },
    ),
    error(
      "cookie-opens-pages",
      "Only pages below /-/ ask who is signed in: a cookie never opens the API.",
      { path: "^src/", pathNot: "^src/(accounts/|pages/dashboard/|setup/|server/errors\\.ts$)" },
      { path: "^src/accounts/(visitor|cookie|signin)\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
    error(
      "config-below-rooms",
      "Settings know the forms of names, passwords and keys, nothing else of the rooms.",
      { path: "^src/config/" },
      { path: "^src/(?!config/|util/|accounts/person\.ts|keys/(key|namespace)\\.ts|topics/names\\.ts)" },
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
