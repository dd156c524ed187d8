/** The headers that every page has (WEB.md §1). */

/** `images`: hosts whose images a feed may show, each with a leading space. */
export const houseHeaders = (images = ""): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:${images}; connect-src 'self'; ` +
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
  "x-robots-tag": "noindex, nofollow",
  "cache-control": "no-store",
});
