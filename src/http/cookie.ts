/** Cookies that only this server reads. */

interface Kept {
  /** The path below which it is sent: `/peal`, or `/`. */
  path: string;
  /** In seconds; 0: the browser forgets the cookie. */
  life: number;
  isSecure: boolean;
}

/** A `Set-Cookie` that no script reads and no form of another site sends. */
export const setCookie = (name: string, value: string, { path, life, isSecure }: Kept): string =>
  `${name}=${value}; Path=${path}; Max-Age=${life}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
