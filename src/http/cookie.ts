/** Cookies that only this server reads. */

interface Kept {
  /** Below which it is sent: `/peal`, or `/`. */
  path: string;
  /** Seconds; 0: the browser forgets it. */
  life: number;
  isSecure: boolean;
}

/** `Set-Cookie` for no script, and for no form of another site. */
export const setCookie = (name: string, value: string, { path, life, isSecure }: Kept): string =>
  `${name}=${value}; Path=${path}; Max-Age=${life}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
