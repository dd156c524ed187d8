// The rules that the compiler cannot check (docs/ and CONTRIBUTING.md say how the code reads).
import tseslint from "typescript-eslint";

const TIME = "Time is passed in as a `Clock` (src/util/clock.ts), so that tests can hold it.";
const RANDOM = "Randomness comes from src/util/ids.ts.";
const YOUNG = "Younger than the browsers that pages are for: Safari 16.4, Chrome 111, Firefox 113 (README.md).";

/** Named one by one: a service that finds them by itself, as editors do, takes a fifth longer. */
const PROJECTS = ["", "static/", "static/worker/", "test/pages/inside/", "test/pages/inside/worker/"].map(
  (folder) => `${folder}tsconfig.json`,
);

export default tseslint.config(
  { ignores: ["node_modules/", "dist/", "data/", "**/*.js", "**/*.cjs", "**/*.generated.ts"] },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: PROJECTS, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "object-shorthand": "error",
      "prefer-template": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/promise-function-async": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // an async method of a port that has nothing to wait for still never throws synchronously
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    files: ["src/**"],
    ignores: ["src/util/clock.ts", "src/util/ids.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "Date", property: "now", message: TIME },
        { object: "performance", property: "now", message: TIME },
        { object: "Bun", property: "nanoseconds", message: TIME },
        { object: "Math", property: "random", message: RANDOM },
        { object: "crypto", property: "randomUUID", message: RANDOM },
        { object: "crypto", property: "getRandomValues", message: RANDOM },
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: TIME },
        { selector: "CallExpression[callee.name='Date']", message: TIME },
        { selector: "ExportDefaultDeclaration", message: "Exports have names." },
        { selector: "ExportAllDeclaration", message: "No barrels: import from the file that has it." },
        { selector: "TSEnumDeclaration", message: "A union of literals." },
      ],
    },
  },
  {
    files: ["src/**"],
    ignores: ["**/*.generated.ts"],
    rules: {
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", 80],
    },
  },
  {
    // what the language has since then is kept out by `lib` in static/tsconfig.json
    files: ["static/**"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "URL", property: "parse", message: YOUNG },
        { object: "URL", property: "canParse", message: YOUNG },
        { object: "AbortSignal", property: "any", message: YOUNG },
        { property: "checkVisibility", message: YOUNG },
        { property: "moveBefore", message: YOUNG },
        { property: "requestIdleCallback", message: YOUNG },
        { property: "showPopover", message: YOUNG },
        { property: "togglePopover", message: YOUNG },
        { property: "startViewTransition", message: YOUNG },
      ],
      // Firefox 119 was the first to have attributes for these
      "no-restricted-syntax": [
        "error",
        { selector: "MemberExpression[property.name=/^(role|aria[A-Z])/]", message: YOUNG },
      ],
    },
  },
  {
    // the command line talks on its standard output, the build and the gates too
    files: [
      "src/cli/**",
      "src/main.ts",
      "src/build/**",
      "test/run.ts",
      "test/tools.ts",
      "test/bench/**",
      "test/support/**",
    ],
    rules: { "no-console": "off" },
  },
  {
    files: ["test/**"],
    rules: {
      // expect(object.method) never calls it
      "@typescript-eslint/unbound-method": "off",
    },
  },
);
