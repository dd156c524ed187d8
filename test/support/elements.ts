/** The contents of a page, without a browser. */

/** The text of every element that the selector finds, entities decoded. */
export async function texts(page: string, selector: string): Promise<string[]> {
  const found: string[] = [];
  await new HTMLRewriter()
    .on(selector, {
      element: () => void found.push(""),
      text: ({ text }) => void found.push(`${found.pop() ?? ""}${text}`),
    })
    .transform(new Response(page))
    .text();
  return found.map((text) =>
    text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name: string) => ENTITIES[name] ?? "").trim(),
  );
}
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'", "#39": "'" };
