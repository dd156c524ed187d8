/** The form of an API key (API.md §1). */

const API_KEY = /^svc_[0-9a-f]{64}$/;

export const isApiKey = (text: string): boolean => API_KEY.test(text);
