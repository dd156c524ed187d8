/** Injected into the page and its worker: `badge` records what would be on the icon of the installed app. */

const show = async (badge: number): Promise<void> => {
  Object.assign(globalThis, { badge });
  return Promise.resolve();
};
Object.assign(navigator, { setAppBadge: show, clearAppBadge: async () => show(0) });
