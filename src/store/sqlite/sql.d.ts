declare module "*.sql" {
  const text: string;
  // eslint-disable-next-line no-restricted-syntax -- how Bun embeds a text (PLATFORM.md §2)
  export default text;
}
