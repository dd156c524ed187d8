/** Marks that the script runs, and lets the reader choose light or dark; the server reads the cookie. */

const YEAR_SECONDS = 31_536_000;

export function startPage(): void {
  const root = document.documentElement;
  root.classList.add("js");
  const button = document.querySelector<HTMLButtonElement>("[data-theme-button]");
  const sign = button?.querySelector("use");
  if (!button || !sign) return;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const isDark = () => (root.dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark";
  const show = () => {
    sign.setAttribute("href", (sign.getAttribute("href") ?? "").replace(/#.*/, isDark() ? "#sun" : "#moon"));
    button.ariaLabel = (isDark() ? button.dataset["toLight"] : button.dataset["toDark"]) ?? "";
  };
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    root.dataset["theme"] = theme;
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `theme=${theme}; path=${root.dataset["base"] ?? ""}/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
    show();
  });
  system.addEventListener("change", show);
  show();
}
