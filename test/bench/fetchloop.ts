/**
 * What pushes are compared with: `fetch` and nothing else. `bun fetchloop.ts http2|http1.1 <url> <requests> <at once>
 * <bytes>` prints how many requests a second were answered, once the loop is warm.
 */
export {};

const [protocol, url = "", count = "", atOnce = "", bytes = ""] = process.argv.slice(2);
const { fetch: send } = new Bun.FetchSession({ proxy: false });
const body = "x".repeat(Number(bytes));

async function requests(wanted: number): Promise<void> {
  let left = wanted;
  const worker = async () => {
    while (left-- > 0) {
      const response = await send(`${url}/${left}`, {
        method: "POST",
        body,
        headers: { "apns-id": "7d2c1c1e-0000-8000-8000-000000000000" },
        protocol: protocol === "http2" ? "http2" : "http1.1",
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, worker));
}

await requests(Number(count) / 5);
const startedAt = performance.now();
await requests(Number(count));
console.log((1000 * Number(count)) / (performance.now() - startedAt));
