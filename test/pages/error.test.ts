/** Problems as pages. */
import { expect, test } from "bun:test";
import { SignInNeeded } from "../../src/accounts/visitor.ts";
import { problem, type Problem } from "../../src/http/problem.ts";
import { errorPage } from "../../src/pages/error.tsx";
import { textsOf, type Language } from "../../src/pages/texts/languages.ts";

const shown = async (of: Problem, language: Language, here?: string): Promise<string> => {
  const texts = textsOf(language);
  const { locale } = texts;
  const view = { base: "/peal", url: "https://peal.example/peal", language, locale, texts, zone: "UTC", now: 0 };
  return errorPage(of, "r1", { ...view, ...(here !== undefined && { here }) }).text();
};

test("the answer to a form does not offer to try again, because its address may have no page", async () => {
  const tooMany = problem.rateLimited("Slowly.", {});
  expect(await shown(tooMany, "en", "/peal/-/topics?ns=home")).toContain('href="/peal/-/topics?ns=home"');
  const answered = await shown(tooMany, "en");
  expect(answered).not.toContain("Try again");
  expect(answered).toContain('href="/peal/-/"');
});

test("after the session has ended, the page links to the sign-in beside the form, which can then be sent again from here", async () => {
  const page = await shown(new SignInNeeded(), "en");
  expect(page).toContain('<a class="btn main" href="/peal/-/login" target="_blank" rel="noopener">Sign in</a>');
  expect(page).toContain("then reload this page, which sends the form again");
});

test("a problem without its own page is explained in the reader's language, with its details unchanged", async () => {
  const taken = await shown(problem.topicExists("nas"), "de");
  expect(taken).toContain('<h1 class="big">Das passt nicht zu dem, was schon da ist</h1>');
  expect(taken).toContain('<p class="lede" lang="en">Topic `nas` already exists.');
  expect(await shown(problem.unknownTopic(), "de")).not.toContain('class="lede" lang');
});
