/** Put into the page and its worker: what would be on the icon of the installed app stands in `badge`. */

const show = async (badge: number): Promise<void> => {
  Object.assign(globalThis, { badge });
  return Promise.resolve();
};
Object.assign(navigator, { setAppBadge: show, clearAppBadge: async () => show(0) });
