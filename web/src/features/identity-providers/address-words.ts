/** Addresses that a provider names, in the words of the page. */
export const addressWords: Readonly<Record<string, string>> = {
  issuer: 'its own name',
  authorizationAddress: 'the page where people sign in',
  tokenAddress: 'the address for tokens',
  keysAddress: 'the address of its keys',
  userInfoAddress: 'the address that tells about people',
  logoutAddress: 'the page where people sign out',
}
