/** @jsxImportSource #jsx */
/** A field to search a list by. */
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Icon } from "../layout.tsx";
import type { View } from "../view.ts";

interface SearchProps {
  view: View;
  action: string;
  /** What else the list is asked for, which stays. */
  kept: Readonly<Record<string, string | undefined>>;
  /** Says what is searched. Shown in the field while it is empty. */
  label: string;
  /** Shown in the empty field instead of the label. */
  hint?: string;
  q: string | undefined;
  maxlength?: number;
  /** A key that leads to it. */
  shortcut?: string;
}

export const SearchForm = ({ view, action, kept, label, hint = label, q, maxlength, shortcut }: SearchProps): Safe => (
  <form class="search" role="search" action={action}>
    {Object.entries(kept).map(
      ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />,
    )}
    <label class="sr" for="q">
      {label}
    </label>
    <input
      {...{ id: "q", name: "q", type: "search", placeholder: hint, value: q, maxlength, dir: "auto" }}
      aria-keyshortcuts={shortcut}
    />
    <button type="submit" aria-label={hint}>
      <Icon view={view} name="search" />
    </button>
  </form>
);
