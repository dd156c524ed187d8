/** @jsxImportSource #jsx */
/** Facts, each with its label. */
import type { Child, Safe } from "../jsx/jsx-runtime.ts";

/** `dir`: of what others wrote. */
export const Terms = ({ facts, dir }: { facts: readonly (readonly [Child, Child])[]; dir?: "auto" }): Safe => (
  <dl class="kv">
    {facts.map(([label, words]) => (
      <>
        <dt>{label}</dt>
        <dd dir={dir}>{words}</dd>
      </>
    ))}
  </dl>
);
