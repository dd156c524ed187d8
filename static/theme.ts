/** Marks that the script runs, and lets the reader choose light or dark. Cookies pass that choice and the reader's zone to the server. */

const YEAR_SECONDS = 31_536_000;

export function startPage(): void {
  const root = document.documentElement;
  root.classList.add("js");
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (!document.cookie.split("; ").includes(`zone=${timeZone}`)) keep("zone", timeZone);
  const button = document.querySelector<HTMLButtonElement>("[data-theme-button]");
  const sign = button?.querySelector("use");
  if (!button || !sign) return;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const isDark = () => (root.dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark";
  const show = () => {
    sign.setAttribute("href", (sign.getAttribute("href") ?? "").replace(/#.*/, isDark() ? "#sun" : "#moon"));
    button.setAttribute("aria-label", (isDark() ? button.dataset["toLight"] : button.dataset["toDark"]) ?? "");
  };
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    root.dataset["theme"] = theme;
    keep("theme", theme);
    show();
  });
  system.addEventListener("change", show);
  show();
}

function keep(name: string, value: string): void {
  const secure = location.protocol === "https:" ? "; secure" : "";
  const path = document.documentElement.dataset["base"] ?? "";
  document.cookie = `${name}=${value}; path=${path}/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
}
