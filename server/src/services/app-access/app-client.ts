const appClientPrefix = 'quayside-app-'

/** Every deployed app has a client of its own, which holds its resource roles and the addresses that lead back to it. */
export const appClientId = (appId: string) => `${appClientPrefix}${appId}`

/** Letter by letter, no wildcards: the app's own page in the portal. */
export const appRedirectUris = (portalUrl: string, appId: string) => [`${portalUrl}/en/apps/${appId}`]

/** Marks groups that a deployment made, so that its removal can tell them from those that people made. */
export const madeForApp = 'quayside.made-for-app'
