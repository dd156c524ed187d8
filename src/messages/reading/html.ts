/** Turns HTML that somebody sent as a message into text, with its lines and links. */

/** How many UTF-16 units are read: as many again take 8 ms of the event loop at worst (measured). */
const MAX_READ = 65_536;
const HIDDEN = "script,style,template,noscript,title";
const BLOCKS = "p,div,li,tr,h1,h2,h3,h4,h5,h6,pre,blockquote,ul,ol,table,dt,dd,section,article,header,footer";
/** Marks where a line begins, and where a block ends, until white space is folded: characters for private use. */
const BREAK = "\ue000";
const END = "\ue001";

/** Also says whether all of it was read. Loads the table of HTML's entities when it is first needed. */
export async function textOfHtml(html: string): Promise<{ text: string; isWhole: boolean }> {
  const { decodeHTML } = await import("entities/decode");
  const { body, title } = rawTextOf(html.slice(0, MAX_READ));
  const text = decodeHTML(body)
    .replaceAll(/\s+/g, " ")
    // the next block begins on a new line
    .replaceAll(new RegExp(` ?${END}[ ${END}]*(?=${BREAK}|$)`, "g"), "")
    .replaceAll(new RegExp(` ?${END}[ ${END}]*`, "g"), "\n")
    .replaceAll(new RegExp(` ?${BREAK} ?`, "g"), "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return { text: text || decodeHTML(title).replaceAll(/\s+/g, " ").trim(), isWhole: html.length <= MAX_READ };
}

/** The most white space around the text of a link. */
const MAX_AROUND = 100;

/** Entities are not decoded yet. It works in pieces: a growing text would be copied whole for each link that looks into it. */
function rawTextOf(html: string): { body: string; title: string } {
  const pieces: string[] = [];
  const titles: string[] = [];
  let length = 0;
  let hidden = 0;
  const put = (piece: string) => {
    if (piece !== "") pieces.push(piece);
    length += piece.length;
  };
  new HTMLRewriter()
    .on(HIDDEN, {
      element: (element) => {
        hidden++;
        element.onEndTag(() => {
          hidden--;
        });
      },
    })
    .on("title", {
      text: (chunk) => {
        titles.push(chunk.text);
      },
    })
    .on(BLOCKS, {
      element: (element) => {
        put(BREAK);
        element.onEndTag(() => {
          put(END);
        });
      },
    })
    .on("br,hr", {
      element: () => {
        put(BREAK);
      },
    })
    .on("td,th", {
      element: () => {
        put(" ");
      },
    })
    .on("a[href]", {
      element: (element) => {
        const href = element.getAttribute("href") ?? "";
        if (!/^https?:/i.test(href)) return;
        const from = { piece: pieces.length, length };
        element.onEndTag(() => {
          const isShort = length - from.length <= href.length + MAX_AROUND;
          if (!isShort || pieces.slice(from.piece).join("").trim() !== href) put(` (${href})`);
        });
      },
    })
    .onDocument({
      text: (chunk) => {
        if (hidden === 0) put(chunk.text);
      },
    })
    .transform(html);
  return { body: pieces.join(""), title: titles.join("") };
}
