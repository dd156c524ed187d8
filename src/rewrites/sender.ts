/** Tells who posts, by the `User-Agent` (RFC 9110 §10.1.5). Pure. */

/** Libraries and programs that post for somebody else. */
const GENERIC =
  /^(?:mozilla|curl|wget|python|go-http-client|node|axios|okhttp|java|apache-httpclient|postman|insomnia|httpie|undici|bun|deno|got|ruby|faraday|guzzle|php|perl|libwww|dart|rust|reqwest|hyper|restsharp|dotnet|\.net|windowspowershell|powershell|lua|elixir|hackney|http|unirest|jakarta|spring|vert)/i;

/** The sender's name, such as `Sonarr`; undefined if it gives none. */
export function senderOf(userAgent: string): string | undefined {
  const [, name = ""] = /^([^\s/(;,]{2,40})/.exec(userAgent.trim()) ?? [];
  return name === "" || GENERIC.test(name) ? undefined : name;
}
