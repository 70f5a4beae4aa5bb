import { type Scope, scopes } from '@quayside/contract/permissions/scopes'

/** The words for each scope, to follow "can". */
export const scopeWords: Record<Scope, string> = {
  'space.view': 'view',
  'space.edit': 'edit',
  'space.delete': 'delete the space',
  'space.members': 'manage members',
  'space.deploy': 'deploy',
  'space.deploy.elevated': 'deploy with cluster rights',
  'app.view': 'see apps',
  'app.manage': 'manage apps',
  'app.secrets': 'see secrets',
}

/** 'view, edit and deploy'; the empty text for nothing. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

/** Scopes as a sentence has them: 'view, see apps and deploy'. */
export function scopesInWords(held: readonly string[]): string {
  return listed(scopes.filter((scope) => held.includes(scope)).map((scope) => scopeWords[scope]))
}
