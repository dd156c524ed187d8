/**
 * Injected into the page and its worker before their own scripts: removes what the oldest supported browsers do not
 * have.
 * (Newer language features are kept out by `lib` in static/tsconfig.json.)
 */

const forget = (from: object, ...names: string[]) => {
  for (const name of names) Reflect.deleteProperty(from, name);
};

forget(URL, "parse", "canParse");
forget(AbortSignal, "any");
if ("Element" in globalThis) {
  const reflected = Object.getOwnPropertyNames(Element.prototype).filter((name) => /^(?:role|aria[A-Z])/.test(name));
  forget(Element.prototype, "checkVisibility", ...reflected);
}
