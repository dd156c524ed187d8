declare module "*.sh" {
  const text: string;
  // eslint-disable-next-line no-restricted-syntax -- how Bun embeds a text (PLATFORM.md §2)
  export default text;
}
declare module "*.ps1" {
  const text: string;
  // eslint-disable-next-line no-restricted-syntax -- how Bun embeds a text (PLATFORM.md §2)
  export default text;
}
