/** Turns an API name into words: `token_expires_at` is "Token expires at". */
export const toWords = (name: string): string => {
  const words = name.replaceAll(/[_.]/g, ' ').replace(/\b(?:id|url)(?=s?$)/i, (end) => end.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
};
