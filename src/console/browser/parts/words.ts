/** Names of the API's language in words that people read: `token_expires_at` is "Token expires at". */
export const toWords = (name: string): string => {
  const words = name.replaceAll(/[_.]/g, ' ').replace(/\bids?$/i, (id) => id.toUpperCase().replace('S', 's'));
  return words.charAt(0).toUpperCase() + words.slice(1);
};
