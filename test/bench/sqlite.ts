/** The upper limit of the store: `bun sqlite.ts <directory> <rows a commit> <seconds>` prints durable inserts a second. */
import { Database } from "bun:sqlite";

const [, , directory = ".", batch = "1", seconds = "1"] = process.argv;
const db = new Database(`${directory}/anchor.db`, { create: true });
db.run("PRAGMA journal_mode = WAL");
db.run("PRAGMA synchronous = FULL");
db.run(
  "CREATE TABLE message (row INTEGER PRIMARY KEY AUTOINCREMENT, topic INTEGER, id INTEGER, json TEXT, UNIQUE (topic, id))",
);
const insert = db.prepare("INSERT INTO message (topic, id, json) VALUES (1, ?, ?)");
const json = JSON.stringify({ message: "x".repeat(200), title: "bench", level: "info" });

const startedAt = performance.now();
const until = startedAt + Number(seconds) * 1000;
let rows = 0;
while (performance.now() < until) {
  db.run("BEGIN IMMEDIATE");
  for (let n = 0; n < Number(batch); n++) insert.run(++rows, json);
  db.run("COMMIT");
}
console.log((rows / (performance.now() - startedAt)) * 1000);
