/** A page of history, in a small and in a large topic. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Benchmark } from "./bench.ts";
import { freshDirectory } from "./machine.ts";
import { percentiles } from "./percentiles.ts";
import { startPeal, type Program } from "./servers.ts";

const SMALL = 1_000;
const LARGE = 1_000_000;
const PAGES = 2_000;

export const historyPages: Benchmark = async ({ program, isQuick }) => {
  const large = isQuick ? LARGE / 10 : LARGE;
  const small = await pages(program, SMALL);
  const big = await pages(program, large);
  return (["latest", "middle"] as const).map((where) => ({
    what: `history page of 50, ${where}, ${large} messages, p50`,
    ...{
      unit: "ms",
      peal: big[where],
      beside: [{ what: `${SMALL} messages`, value: small[where] }],
      target: "ratio ≤ 1.2",
    },
  }));
};

async function pages(program: Program, messages: number): Promise<{ latest: number; middle: number }> {
  const dataDir = freshDirectory();
  let topic: string;
  {
    await using peal = await startPeal(program, { dataDir });
    topic = await peal.topic("bench");
    await peal.publish("bench", `a message of some length: ${"lorem ipsum ".repeat(15)}`);
  }
  copyMessage(join(dataDir, "peal.db"), messages);
  await using peal = await startPeal(program, { dataDir });
  const base = `${peal.url}/v1/home/${topic}/messages`;
  const measure = async (query: string) => {
    const took: number[] = [];
    for (let n = 0; n < PAGES; n++) {
      const startedAt = performance.now();
      await (await fetch(base + query)).text();
      if (n >= PAGES / 4) took.push(performance.now() - startedAt); // the first ones compile the code
    }
    return percentiles(took).p50;
  };
  return { latest: await measure(""), middle: await measure(`?since=${messages / 2}`) };
}

/** Writes message 1 repeatedly into the file while no server uses it. Knows two columns of `message`. */
function copyMessage(path: string, messages: number): void {
  const db = new Database(path);
  const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('message')").all();
  const copied = columns.map(({ name }) => name).filter((name) => name !== "row" && name !== "id");
  db.run(
    `WITH RECURSIVE n(id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM n WHERE id < ${messages})
     INSERT INTO message (id, ${copied.join(", ")}) SELECT n.id, ${copied.map((name) => `m.${name}`).join(", ")} FROM n, message m WHERE m.id = 1`,
  );
  db.run(`UPDATE topic SET last_id = ${messages}`);
  db.close();
}
