/** Text in place of a secret: in a document, a manifest or a line of a log. */
export const secretMark = '••••••••'

/** Text in place of a secret that differs from the one on the other side of a comparison. */
export const changedSecretMark = `${secretMark} (changed)`
