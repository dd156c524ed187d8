/** What the compiler calls in development: the same factory. */
export { Fragment, jsx as jsxDEV, type JSX } from "./jsx-runtime.ts";
