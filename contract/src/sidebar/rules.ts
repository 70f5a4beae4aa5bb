/** The longest name of a group. */
export const longestTitle = 24
/** The longest name of a pin, and the longest address of an external link. */
export const longestName = 200
export const longestAddress = 2048
/** How much one person's side bar holds at most. */
export const mostGroups = 30
export const mostEntries = 50

const web = /^https?:\/\//i

/** Tells whether a text is a full address that a browser may open: nothing that runs, nothing without its protocol. */
export function isWebLink(text: string): boolean {
  return web.test(text) && URL.canParse(text)
}
