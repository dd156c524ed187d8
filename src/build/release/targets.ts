/** What a release offers for download, a row a file. Bun's packages for x64 need no AVX2 (PLATFORM.md §2). */

export interface Target {
  file: string;
  /** As `bun build --target` names it. */
  target: string;
  /** The npm package of Bun for it; package-lock.json has its hash, as an optional dependency of `bun`. */
  runtime: string;
  entry: "src/main.ts" | "src/client.ts";
}

const server = "src/main.ts";
const client = "src/client.ts";

// prettier-ignore
export const TARGETS: readonly Target[] = [
  { file: "peal-linux-x64",              target: "bun-linux-x64",        runtime: "@oven/bun-linux-x64",          entry: server },
  { file: "peal-linux-x64-musl",         target: "bun-linux-x64-musl",   runtime: "@oven/bun-linux-x64-musl",     entry: server },
  { file: "peal-linux-arm64",            target: "bun-linux-arm64",      runtime: "@oven/bun-linux-aarch64",      entry: server },
  { file: "peal-linux-arm64-musl",       target: "bun-linux-arm64-musl", runtime: "@oven/bun-linux-aarch64-musl", entry: server },
  { file: "peal-client-macos-arm64",     target: "bun-darwin-arm64",     runtime: "@oven/bun-darwin-aarch64",     entry: client },
  { file: "peal-client-macos-x64",       target: "bun-darwin-x64",       runtime: "@oven/bun-darwin-x64",         entry: client },
  { file: "peal-client-windows-x64.exe", target: "bun-windows-x64",      runtime: "@oven/bun-windows-x64",        entry: client },
];
