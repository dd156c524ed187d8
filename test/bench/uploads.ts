/** What uploads cost: how much the process grows while four files of the largest size arrive at once, raw and as forms. */
import { join } from "node:path";
import type { Benchmark, Row } from "./bench.ts";
import { freshDirectory, memory } from "./machine.ts";
import { startPeal } from "./servers.ts";

const AT_ONCE = 4;
/** Below the limit of 20 MB even as a form. */
const FILE_BYTES = 19_900_000;
const WARMING_PUBLISHES = 50;
const SAMPLE_MS = 3;

export const uploading: Benchmark = async ({ program, rounds }) => {
  const directory = freshDirectory();
  const files = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      const path = join(directory, `${n}.bin`);
      await Bun.write(path, new Uint8Array(FILE_BYTES).fill(n)); // different bytes, because equal files are stored only once
      return Bun.file(path);
    }),
  );
  const form = (file: Bun.BunFile) => {
    const made = new FormData();
    made.append("message", "a form");
    made.append("file", file);
    return made;
  };
  const kinds = [
    { what: "as they are", request: (file: Bun.BunFile) => ({ body: file, headers: { filename: "a.bin" } }) },
    { what: "as forms", request: (file: Bun.BunFile) => ({ body: form(file), headers: {} }) },
  ];
  const rows: Row[] = [];
  for (const { what, request } of kinds) {
    const grown: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await using peal = await startPeal(program);
      await peal.topic("bench");
      for (let n = 0; n < WARMING_PUBLISHES; n++) await peal.publish("bench", "warm");
      const send = async (file: Bun.BunFile) => {
        const { body, headers } = request(file);
        const response = await fetch(`${peal.url}/home/bench`, {
          ...{ method: "POST", body, headers: { ...headers, authorization: `Bearer ${peal.key}` } },
        });
        if (response.status !== 201) throw new Error(`an upload was answered ${response.status}`);
      };
      grown.push(await growth(peal.pid, async () => Promise.all(files.map(send))));
    }
    grown.sort((a, b) => a - b);
    rows.push({
      what: `${AT_ONCE} files of 20 MB at once, ${what}: resident grows by`,
      unit: "MB",
      peal: grown[Math.floor(grown.length / 2)] ?? NaN,
      target: "≤ 20 MB",
    });
  }
  return rows;
};

/** By how much the process grew at most, in MB. */
async function growth(pid: number, work: () => Promise<unknown>): Promise<number> {
  const { resident: before } = await memory(pid);
  let most = before;
  const state = { isOver: false };
  const working = work().finally(() => (state.isOver = true));
  while (!state.isOver) {
    most = Math.max(most, (await memory(pid)).resident);
    await Bun.sleep(SAMPLE_MS);
  }
  await working;
  return (most - before) / 1e6;
}
