/** What the sources for Slack, Discord and Teams share: markup, colours, words (REWRITES.md §8). */
import { describe, expect, test } from "bun:test";
import { plain } from "../../src/rewrites/markup.ts";
import { levelOfColour, levelOfWords } from "../../src/rewrites/tone.ts";
import { draftOf } from "./support.ts";

describe("markup as text", () => {
  // prettier-ignore
  const rows: [what: string, marked: string, shown: string][] = [
    ["Slack's emphasis",              "*bold* _it_ ~gone~ `code`",                        "bold it gone code"],
    ["Markdown's emphasis",           "**bold** __under__ ~~gone~~ ***both*** ||hidden||", "bold under gone both hidden"],
    ["emphasis in emphasis",          "**_both_**",                                       "both"],
    ["a product and a list",          "2 * 3 * 4\n* item",                                "2 * 3 * 4\n* item"],
    ["names with underscores",        "system_cpu_usage and __init__.py",                 "system_cpu_usage and __init__.py"],
    ["a glob",                        "*.example.com, *.example.org",                     "*.example.com, *.example.org"],
    ["what is not closed",            "*open and `open",                                  "*open and `open"],
    ["a fence",                       "```sh\nls -l\n```",                                "ls -l"],
    ["a heading and a quote",         "## Head\n> said\n-# small",                        "Head\nsaid\nsmall"],
    ["Slack's link",                  "<https://h.example/a|the page>",                   "the page (https://h.example/a)"],
    ["a link that is its own label",  "<https://h.example/a|h.example/a>",                "h.example/a"],
    ["a bare link",                   "<https://h.example/a>",                            "https://h.example/a"],
    ["Markdown's link and image",     "[page](https://h.example/a) ![pic](https://h.example/p)", "page (https://h.example/a) pic (https://h.example/p)"],
    ["a link of HTML",                'see <a href="https://h.example/a">page</a><br/>on',"see page (https://h.example/a)\non"],
    ["no secrets of links",           "<https://u:p@h.example/?token=1&a=2|page>",        "page (https://h.example/?a=2)"],
    ["a mail address",                "<mailto:a@b.example|a@b.example>",                 "a@b.example"],
    ["who is called by name",         "<@U1|bob> <#C1|general> <!subteam^S1|@ops>",       "@bob #general @ops"],
    ["who is called by an id",        "<@U024BE7LH> <@!12345> <@&123> <#C024>",           "@user @user @role #channel"],
    ["nobody of all",                 "<!channel> down <!here>",                          "down"],
    ["a date of Slack's",             "<!date^1392734382^{date}|Feb 18>",                 "Feb 18"],
    ["a time of Discord's",           "<t:1795204695:F>",                                 "2026-11-20 19:58 UTC"],
    ["emoji that say something",      ":x: down :white_check_mark:",                      "❌ down ✅"],
    ["emoji that decorate",           ":helmet_with_white_cross: Gatus",                  "Gatus"],
    ["emoji in a row",                ":x::fire: down",                                   "❌🔥 down"],
    ["an emoji of one's own",         "<:shipit:123> done",                               "done"],
    ["no emoji",                      "12:30:45 a:b:c std::string::npos",                 "12:30:45 a:b:c std::string::npos"],
    ["entities",                      "a &amp; b &lt;c&gt; &#x1F6A8; &#39;",              "a & b <c> 🚨 '"],
    ["entities that are none",        "&#x110000;&#0;&nope;",                             "&nope;"],
    ["what was escaped",              "0 3 \\* \\* \\*",                                  "0 3 * * *"],
    ["what compares",                 "a < b and c > d",                                  "a < b and c > d"],
  ];
  test.each(rows)("%s", (_, marked, shown) => {
    expect(plain(marked)).toBe(shown);
  });

  test("the link that a tap opens is not shown a second time", () => {
    expect(plain("see <https://h.example/a|the page>", "https://h.example/a")).toBe("see the page");
  });
});

describe("a colour", () => {
  // prettier-ignore
  const rows: [colour: unknown, level: string | undefined][] = [
    ["danger", "error"], ["warning", "warning"], ["good", "success"], ["Attention", "error"], ["accent", undefined],
    ["#DD0000", "error"], ["e01e5a", "error"], ["#d9534f", "error"], ["#F00", "error"], [15158332, "error"], ["15158332", "error"], [0x992d22, "error"],
    ["#FFA500", "warning"], ["#FFC859", "warning"], ["#ffa059", "warning"],
    ["#36A64F", "success"], ["#2eb886", "success"], ["#32cd32", "success"], [65280, "success"], ["65A677", "success"],
    ["0076D7", undefined], ["#777777", undefined], ["#7499FF", undefined], [0, undefined], [-1, undefined], [1e9, undefined], [1.5, undefined],
    ["#12345", undefined], ["constructor", undefined], ["", undefined], [null, undefined], [{}, undefined],
  ];
  test.each(rows)("%p is %p", (colour, level) => {
    expect(levelOfColour(colour)).toBe(level as never);
  });
});

describe("words", () => {
  // prettier-ignore
  const rows: [text: string, level: string | undefined][] = [
    ["Disk failure on nas", "error"], ["web1 is DOWN", "error"], ["🔴 web1", "error"], ["Build failed", "error"],
    ["Resolved: disk failure on nas", "success"], ["web1 is back online after it was down", "success"], ["web1 is up!", "success"], ["Backup completed", "success"],
    ["Not resolved: disk failure", "error"], ["Backup finished with 0 errors", "success"], ["Backup finished with errors", "error"],
    ["⚠️ Certificate", "warning"], ["Certificate expires in 3 days", "warning"],
    ["Download of the update", undefined], ["Ana created a task", undefined], ["", undefined],
  ];
  test.each(rows)("%p", (text, level) => {
    expect(levelOfWords(text)).toBe(level as never);
  });
});

describe("a post", () => {
  test("of one long sentence keeps all of it", () => {
    const text = "word ".repeat(60).trim();
    const { title, message } = draftOf("slack", { text });
    expect(title?.length).toBeLessThanOrEqual(100);
    expect(title).toEndWith("…");
    expect(message).toBe(text);
  });

  test("shows only once what Slack sends twice", () => {
    const { title, message } = draftOf("slack", {
      text: "Disk full",
      attachments: [
        { color: "danger", fallback: "Disk full", title: "Disk full", fields: [{ title: "What", value: "Disk full" }] },
      ],
    });
    expect([title, message]).toEqual(["Disk full", "Disk full"]);
  });

  test("is as severe as the worst of its cards", () => {
    const attachments = ["good", "danger", "warning"].map((color) => ({ color, text: color }));
    expect(draftOf("slack", { attachments })).toMatchObject({ level: "error", priority: "high" });
  });

  test("is as severe as a fact that states its status", () => {
    const embeds = [{ title: "Monitor shop", fields: [{ name: "Status", value: "Down" }] }];
    expect(draftOf("discord", { embeds })).toMatchObject({ level: "error" });
  });

  test("has buttons for all links but the first", () => {
    const button = (label: string, url: string) => ({ type: "button", text: { type: "plain_text", text: label }, url });
    const elements = ["a", "b", "b", "c", "d", "e"].map((name) => button(name, `https://h.example/${name}`));
    const { url, actions } = draftOf("slack", { text: "t", blocks: [{ type: "actions", elements }] });
    expect(url).toBe("https://h.example/a");
    expect(actions?.map(({ label }) => label)).toEqual(["b", "c", "d"]);
  });

  test("without any text is shown unchanged", () => {
    expect(draftOf("discord", { embeds: [{ color: 1 }] })).toMatchObject({ title: "Discord: unexpected payload" });
  });
});
