/** Whether keyboard shortcuts work: not if the reader switched them off (WCAG 2.1.4), nor while the reader types. */

export const OFF = "peal:keys-off";

export function isOff(): boolean {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false; // no storage in this browser's mode
  }
}

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select") !== null;
